internal import LockSupport

/// The recorded waits that have not ended, for reports of a running process.
///
/// `state` names the user of an entry: 0 none, 1 the thread that has changed it to 1, 2 the wait. A thread
/// that ends its wait while a report reads the entry waits for the report. So the lock exists while the
/// report asks it for its holder.
///
/// `@safe`: every index is less than the capacity of the memory.
@safe
struct CurrentWaits: ~Copyable, @unchecked Sendable {
  // `CurrentWaits` is `@unchecked Sendable`, which is sound: only the thread that has changed `state` to 1
  // accesses the other variables.

  struct Wait: Sendable {
    var wait: BegunWait
    /// The number of the waiting thread.
    var thread: UInt32
    /// The number of the stack that waits.
    var waiter: UInt32
    /// See `HolderLookup`.
    var holder: UInt64 = 0
  }

  // Not private: version 6.3 of the compiler crashes on a private type in `ReservedMemory`.
  struct Entry: ~Copyable {
    let state = AtomicWord()
    var wait: Wait
  }

  /// The number of waits that the table has room for.
  ///
  /// Others are recorded when they end.
  static let capacity = 4096

  private let memory = ReservedMemory<Entry>(capacity: capacity)
  private var entries: UnsafeMutablePointer<Entry> { unsafe memory.first }

  /// Adds a wait, and returns its number, which is not 0; 0 if there is no room.
  func add(_ wait: Wait) -> Int {
    // Threads begin at different entries, and rarely meet.
    let start = Int(truncatingIfNeeded: HashSlots.combine(UInt64(wait.thread), wait.wait.task))
    var step = 0
    while step < 64 {
      let index = (start &+ step) & (Self.capacity - 1)
      if unsafe entries[index].state.compareExchange(expected: 0, desired: 1, .acquiring).exchanged {
        unsafe entries[index].wait = wait
        unsafe entries[index].state.store(2, .releasing)
        return index + 1
      }
      step += 1
    }
    return 0
  }

  /// Removes the wait with the number that `add` has returned.
  func remove(_ number: Int) {
    if number == 0 { return }
    while unsafe !entries[number - 1].state.compareExchange(expected: 2, desired: 0, .acquiring).exchanged {
      Backoff.yield()
    }
  }

  /// All waits, with their holders.
  func contents() -> [Wait] {
    var contents: [Wait] = []
    contents.reserveCapacity(64)
    for index in 0..<Self.capacity {
      guard unsafe entries[index].state.load(.relaxed) == 2,
        unsafe entries[index].state.compareExchange(expected: 2, desired: 1, .acquiring).exchanged
      else { continue }
      var wait = unsafe entries[index].wait
      if let holder = wait.wait.holder { wait.holder = holder(wait.wait.lock) }
      unsafe entries[index].state.store(2, .releasing)
      contents.append(wait)
    }
    return contents
  }

  /// Removes all waits, while no other thread uses the table.
  func removeAll() { memory.clear() }
}
