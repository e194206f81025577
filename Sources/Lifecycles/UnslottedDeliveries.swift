internal import PlatformLocks
internal import UnfairLocks

/// The deliveries of all threads that had no slot left for them.
///
/// A thread that is in eight sections and deliveries at once, and enters a ninth, notes it here. That is so rare that one
/// lock and one list for all lifecycles do.
final class UnslottedDeliveries: Sendable {
  static let shared = UnslottedDeliveries()

  private struct Entry: Equatable {
    let anchor: UInt
    let thread: UInt32
  }

  private let lock = UnfairLock()

  // Sound: only touched while `lock` is held; the dynamic check would repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Entry] = []

  private init() {}

  /// Notes that the calling thread delivers to the lifecycle at `anchor`.
  func add(_ anchor: UInt) {
    let entry = Entry(anchor: anchor, thread: ThreadIdentity.current)
    lock.withLock { unsafe entries.append(entry) }
  }

  /// Takes a note of the calling thread back.
  func remove(_ anchor: UInt) {
    let entry = Entry(anchor: anchor, thread: ThreadIdentity.current)
    lock.withLock { _ = unsafe entries.remove(at: entries.lastIndex(of: entry)!) }
  }

  /// Whether the calling thread has noted that it delivers to the lifecycle at `anchor`.
  func includesCallingThread(_ anchor: UInt) -> Bool {
    let entry = Entry(anchor: anchor, thread: ThreadIdentity.current)
    return lock.withLock { unsafe entries.contains(entry) }
  }

  /// Whether another thread has.
  func includesOtherThread(_ anchor: UInt) -> Bool {
    let me = ThreadIdentity.current
    return lock.withLock { unsafe entries.contains { $0.anchor == anchor && $0.thread != me } }
  }
}
