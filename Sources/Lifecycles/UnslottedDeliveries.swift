internal import PlatformLocks
internal import UnfairLocks

/// The deliveries that found no slot or no note.
///
/// A thread that is in eight sections and deliveries at once, and enters a ninth, has no note left; where many threads sleep
/// in deliveries, slots run out. Both are so rare that one lock and one list serve all lifecycles.
final class UnslottedDeliveries: Sendable {
  static let shared = UnslottedDeliveries()

  private struct Entry: Equatable {
    let key: UInt
    let thread: UInt32
  }

  private let lock = UnfairLock()

  // Sound: only touched while `lock` is held; the dynamic check would repeat at run time what the lock already ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Entry] = []

  private init() {}

  /// How many entries there are: a thread that finds none here has none itself.
  private let count = LockWord()

  /// Notes that the calling thread delivers to the lifecycle at `key`.
  func add(_ key: UInt) {
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    lock.withLock {
      unsafe entries.append(entry)
      unsafe count.storeRelaxed(UInt32(entries.count))
    }
  }

  /// Takes a note of the calling thread back.
  func remove(_ key: UInt) {
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    lock.withLock {
      _ = unsafe entries.remove(at: entries.lastIndex(of: entry)!)
      unsafe count.storeRelaxed(UInt32(entries.count))
    }
  }

  /// Whether the calling thread has noted that it delivers to the lifecycle at `key`.
  func includesCallingThread(_ key: UInt) -> Bool {
    if count.loadRelaxed() == 0 { return false }
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    return lock.withLock { unsafe entries.contains(entry) }
  }

  /// Whether another thread has.
  func includesOtherThread(_ key: UInt) -> Bool {
    let me = ThreadIdentity.current
    return lock.withLock { unsafe entries.contains { $0.key == key && $0.thread != me } }
  }
}
