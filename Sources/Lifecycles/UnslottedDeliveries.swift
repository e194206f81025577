internal import LockSupport
internal import UnfairLocks

/// The deliveries (calls to objects with a `Lifecycle`) that are recorded in a list, because no slot of the
/// `SlotTable` or no entry of the `ThreadRecord` was vacant.
///
/// A thread that is in seven deliveries at the same time has no entry for an eighth. When many threads sleep
/// in deliveries, slots run out. Both are so rare that one lock and one list serve all lifecycles.
final class UnslottedDeliveries: Sendable {
  static let shared = UnslottedDeliveries()

  private struct Entry: Equatable {
    let key: UInt
    let thread: UInt32
  }

  private let lock = UnfairLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat at run time what
  // the lock already ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) var entries: [Entry] = []

  private init() {}

  /// The number of entries in the list.
  ///
  /// A relaxed load suffices for a thread that looks for its own entries. The thread sees its own
  /// additions, so 0 means that it has no entry.
  private let count = LockWord()

  /// Records that the calling thread has begun a delivery to the lifecycle with `key`.
  func add(_ key: UInt) {
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    lock.withLock {
      unsafe entries.append(entry)
      unsafe count.storeRelaxed(UInt32(entries.count))
    }
  }

  /// Removes the newest entry of the calling thread for the lifecycle with `key`; traps if there is none.
  func remove(_ key: UInt) {
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    lock.withLock {
      _ = unsafe entries.remove(at: entries.lastIndex(of: entry)!)
      unsafe count.storeRelaxed(UInt32(entries.count))
    }
  }

  /// Whether the calling thread has an entry in this list for the lifecycle with `key`.
  func includesCallingThread(_ key: UInt) -> Bool {
    if count.loadRelaxed() == 0 { return false }
    let entry = Entry(key: key, thread: ThreadIdentity.current)
    return lock.withLock { unsafe entries.contains(entry) }
  }

  /// Whether another thread has an entry in this list for the lifecycle with `key`.
  func includesOtherThread(_ key: UInt) -> Bool {
    let me = ThreadIdentity.current
    return lock.withLock { unsafe entries.contains { $0.key == key && $0.thread != me } }
  }
}
