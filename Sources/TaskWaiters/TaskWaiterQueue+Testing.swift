extension TaskWaiterQueue {
  /// The number of waiting tasks, for tests.
  package var count: Int { withList { $0.count } }
}

extension TaskWaiterList {
  /// The number of waiters, for tests.
  ///
  /// - Complexity: O(*n*).
  package var count: Int {
    var count = 0
    // Sound: see `TaskWaiterList`.
    unowned(unsafe) var next = unsafe first
    while let waiter = unsafe next {
      count += 1
      unsafe next = waiter.next
    }
    return count
  }
}

extension TaskWaiterTable {
  /// Whether no task uses a queue of the table, for tests.
  package var isEmpty: Bool { count == 0 }
}
