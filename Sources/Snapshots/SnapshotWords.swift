#if Exploration
  internal import LockSupport

  /// The words with which `HazardRegistry` and `Reclamation` begin.
  ///
  /// Explored threads have words of their own: each execution resets them, and other threads may be reading
  /// snapshots meanwhile.
  final class SnapshotWords: Sendable {
    let newest = AtomicWord()
    let retired = AtomicWord()
    let survivors = AtomicWord()

    static let usual = SnapshotWords()
    static let explored = SnapshotWords()

    /// The number of the thread that frees what explored threads have retired; 0 if none does.
    static let freeing = AtomicWord()

    /// Those of the calling thread.
    static var current: SnapshotWords {
      if ExploredThreads.current != nil { return explored }
      return freeing.load(.relaxed) == UInt64(ThreadIdentity.current) ? explored : usual
    }

    func reset() {
      newest.store(0, .relaxed)
      retired.store(0, .relaxed)
      survivors.store(0, .relaxed)
    }
  }
#endif
