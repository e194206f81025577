internal import ThreadRecords
internal import UnfairLocks

/// Detects deadlocks among threads that wait for deliveries to end, and are in deliveries themselves.
///
/// Such a thread stays in its own deliveries until its wait has ended. If several of these threads wait for
/// one another in a cycle, none ever proceeds. The thread whose wait completes the cycle finds it here.
/// Threads wait only for lifecycles that are closed to new deliveries. While a thread waits, its
/// `ThreadRecord`, which lists its deliveries, does not change, so other threads can read it.
final class DeliveryWaits: Sendable {
  static let shared = DeliveryWaits()

  private struct Wait {
    let thread: ThreadRecord
    let key: UInt
  }

  private let lock = UnfairLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat at run time what
  // the lock already ensures. Each thread in this array wrote its `ThreadRecord` before it acquired the lock,
  // and does not change the record while it waits.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var waits: [Wait] = []

  private init() {}

  /// Records that the calling thread waits until no other thread is in a delivery to the lifecycle with
  /// `key`.
  ///
  /// - Returns: Whether the wait would close a cycle. If so, the wait is not recorded; otherwise the caller
  ///   must call `end()` after its wait.
  func begin(for key: UInt) -> Bool {
    lock.withLock {
      let me = ThreadRecord.current
      // The calling thread's wait, and the waits of threads for which it waits, directly or through others.
      // The loop appends the waits that it finds, and visits them too.
      var reached = [Wait(thread: me, key: key)]
      var index = 0
      while index < reached.count {
        let awaited = reached[index].key
        for wait in unsafe waits where wait.thread.index(of: awaited) != nil {
          if me.index(of: wait.key) != nil { return true }
          if !reached.contains(where: { $0.key == wait.key }) { reached.append(wait) }
        }
        index += 1
      }
      unsafe waits.append(Wait(thread: me, key: key))
      return false
    }
  }

  /// Removes the wait that `begin(for:)` has recorded for the calling thread.
  func end() {
    lock.withLock {
      unsafe waits.removeAll { $0.thread.isSame(as: .current) }
    }
  }
}
