internal import ThreadRecords
internal import UnfairLocks

/// The threads that wait for deliveries while they are in a delivery themselves.
///
/// Such a thread stays in what it has noted until its wait has ended. So where each thread of a circle waits for what the next
/// one is in, none of them ever goes on; and the last one to come finds the circle here. Only lifecycles that nobody
/// enters any more are waited for, so that a thread that is in one and waits can't be in it by mistake.
final class DeliveryWaits: Sendable {
  static let shared = DeliveryWaits()

  private struct Wait {
    let thread: ThreadRecord
    let key: UInt
  }

  private let lock = UnfairLock()

  // Sound: only touched while `lock` is held; the dynamic check would repeat at run time what the lock already ensures. The
  // notes of a thread that has an entry don't change, and were written before it took the lock.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var waits: [Wait] = []

  private init() {}

  /// Notes that the calling thread waits until no other thread delivers to the lifecycle with `key`.
  ///
  /// - Returns: Whether the wait would close a circle; then it is not noted.
  func begin(for key: UInt) -> Bool {
    lock.withLock {
      let me = ThreadRecord.current
      // Those that the calling thread waits for, directly or not, and that wait themselves.
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

  /// The wait of the calling thread that `begin(for:)` noted has ended.
  func end() {
    lock.withLock {
      unsafe waits.removeAll { $0.thread.isSame(as: .current) }
    }
  }
}
