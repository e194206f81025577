internal import LockSupport

/// The recorded waits that have not ended, for reports of a running process.
///
/// The `state` of an entry is 0 if the entry is free, 1 while a thread has exclusive access to it, and 2
/// while it stores a wait. A thread that ends its wait while a report reads the entry waits for the report,
/// and does not destroy the lock meanwhile. The report can therefore ask the lock for its holder.
///
/// `@safe`: the memory lives as long as the table. Every index is masked to its capacity, or comes from
/// `add`.
@safe
struct CurrentWaits: ~Copyable, @unchecked Sendable {
  // `CurrentWaits` is `@unchecked Sendable`, which is sound: only the thread that has changed an entry's
  // `state` to 1 accesses the entry's `wait`.

  struct Wait: Sendable {
    var wait: BegunWait
    /// The `ThreadIdentity` of the waiting thread.
    var thread: UInt32
    /// The number of the waiting stack in the `StackTable`.
    var waiter: UInt32
    /// The lock's holder, as a `HolderLookup` returns it; `contents()` sets it.
    var holder: UInt64 = 0
  }

  // Not private: version 6.3 of the compiler crashes on a private type in `ReservedMemory`.
  struct Entry: ~Copyable {
    let state = AtomicWord()
    var wait: Wait
  }

  /// The maximum number of waits in the table.
  ///
  /// Further waits are missing in `contents()`, but are recorded when they end.
  static let capacity = 4096

  private let memory = ReservedMemory<Entry>(capacity: capacity)
  private var entries: UnsafeMutablePointer<Entry> { unsafe memory.first }

  /// Adds a wait, and returns a positive number to pass to `remove(_:)`.
  ///
  /// Searches 64 entries for a free one. If there is none, the wait is not added, and the result is 0.
  func add(_ wait: Wait) -> Int {
    // The hash makes threads begin their searches at different entries, so they rarely contend.
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

  /// Removes the wait for which `add` returned `number`; does nothing if it is 0.
  func remove(_ number: Int) {
    if number == 0 { return }
    while unsafe !entries[number - 1].state.compareExchange(expected: 2, desired: 0, .acquiring).exchanged {
      Backoff.yield()
    }
  }

  /// Returns all waits in the table, each with its lock's holder.
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

  /// Removes all waits; no other thread may use the table meanwhile.
  func removeAll() { memory.clear() }
}
