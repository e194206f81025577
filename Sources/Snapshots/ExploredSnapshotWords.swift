#if Exploration
  internal import CInterlock
  internal import InterlockCore

  /// The atomic words of `HazardRegistry` and `Reclamation`.
  ///
  /// Explored threads have words of their own, because each execution resets them while other threads may
  /// be reading snapshots.
  final class SnapshotWords: Sendable {
    private let newest = AtomicWord()
    private let retired = AtomicWord()
    private let survivors = AtomicWord()

    private static let usual = SnapshotWords()
    private static let explored: SnapshotWords = {
      ExploredState.register(
        reset: { HazardRegistry.resetForExploration() }, end: { HazardRegistry.freeRetired() })
      return SnapshotWords()
    }()

    /// The `ThreadIdentity` of the thread that runs `HazardRegistry.freeRetired()`; 0 if none does.
    fileprivate static let freeing = AtomicWord()

    private static var isExplored: Bool {
      ExploredThreads.current != nil || freeing.load(.relaxed) == UInt64(ThreadIdentity.current)
    }

    private static var current: SnapshotWords { isExplored ? explored : usual }

    static var newest: AtomicWord { _read { yield current.newest } }
    static var retired: AtomicWord { _read { yield current.retired } }
    static var survivors: AtomicWord { _read { yield current.survivors } }

    /// The number of calls of `Reclamation.scan()` that explored threads have scheduled and that have not
    /// begun.
    ///
    /// Its operations are relaxed. A dispatch queue would order memory, but the algorithm does not rely on
    /// that.
    fileprivate static let scheduledScans = AtomicWord()

    /// Whether a test calls `Reclamation.scan()` on a thread of its execution, in the `Reclaimer`'s place.
    ///
    /// If so, and if the reclaimer is idle and would be woken, the call is counted in `scheduledScans`.
    static func leavesScanToTest(ifIdle isIdle: Bool) -> Bool {
      guard isExplored else { return false }
      if isIdle { scheduledScans.add(1, .relaxed) }
      return true
    }

    fileprivate static func resetExplored() {
      explored.newest.store(0, .relaxed)
      explored.retired.store(0, .relaxed)
      explored.survivors.store(0, .relaxed)
      scheduledScans.store(0, .relaxed)
    }
  }

  extension Reclamation {
    /// Calls `scan()` once if calls are scheduled; returns how many calls were scheduled.
    static func scanIfScheduled() -> Int {
      let scheduled = SnapshotWords.scheduledScans.exchange(0, .relaxed)
      if scheduled > 0 {
        let (isDue, unused) = scan()
        if unused != 0 { free(unused) }
        if isDue { _ = SnapshotWords.leavesScanToTest(ifIdle: true) }
      }
      return Int(scheduled)
    }
  }

  extension HazardRegistry {
    /// Forgets the blocks of explored threads, and what they have retired, so that all executions begin alike.
    static func resetForExploration() {
      let threads = ExploredThreads.suspend()
      SnapshotWords.resetExplored()
      ExploredThreads.resume(threads)
    }

    /// Frees all values that explored threads have retired.
    ///
    /// Call this at the end of an execution, when no explored thread reads any more.
    static func freeRetired() {
      SnapshotWords.freeing.store(UInt64(ThreadIdentity.current), .relaxed)
      // A value's `deinit` may publish, and so retire another one.
      while Reclamation.scanIfScheduled() > 0 {}
      SnapshotWords.freeing.store(0, .relaxed)
    }

    /// Gives back the calling thread's blocks of hazard slots.
    ///
    /// Each thread of an execution must call this at its end.
    static func endExploredThread() {
      let block = interlock_hazard_block()
      interlock_reset_hazard_record()
      if !HazardBlock(address: block).isPlaceholder { giveBack(from: block) }
    }
  }
#endif
