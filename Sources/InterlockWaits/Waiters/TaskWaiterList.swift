/// Waiting tasks in their order of arrival: an intrusive doubly linked list.
///
/// It does not synchronize: the owner must guard it by a lock. It resumes nothing. The caller of a function
/// that takes a waiter from the list must resume the waiter, after it has released the lock.
///
/// - Complexity: O(1) for each operation, without an allocation.
package struct TaskWaiterList: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the lock that guards the list guards the links of the waiters in it, too.

  // Sound, for each `unsafe` in this type: the waiting task keeps its waiter alive while it is in a list.
  package private(set) unowned(unsafe) var first: TaskWaiter?
  private unowned(unsafe) var last: TaskWaiter?

  package init() {}

  package var isEmpty: Bool { unsafe first == nil }

  /// The number of waiters, for tests.
  ///
  /// - Complexity: O(*n*).
  package var count: Int {
    var count = 0
    unowned(unsafe) var next = unsafe first
    while let waiter = unsafe next {
      count += 1
      unsafe next = waiter.next
    }
    return count
  }

  /// Adds a waiter at the end.
  package mutating func append(_ waiter: TaskWaiter) {
    unsafe waiter.isQueued = true
    // A waiter that is used again, after `TaskWaiter.rearm`, still has the links of its earlier list.
    unsafe waiter.next = nil
    unsafe waiter.previous = unsafe last
    if let last = unsafe last { unsafe last.next = waiter } else { unsafe first = waiter }
    unsafe last = waiter
  }

  /// Adds a waiter at the front.
  package mutating func prepend(_ waiter: TaskWaiter) {
    unsafe waiter.isQueued = true
    unsafe waiter.previous = nil
    unsafe waiter.next = unsafe first
    if let first = unsafe first { unsafe first.previous = waiter } else { unsafe last = waiter }
    unsafe first = waiter
  }

  /// Removes and returns the waiter that came first; `nil` if the list is empty.
  package mutating func removeFirst() -> TaskWaiter? {
    guard let waiter = unsafe first else { return nil }
    _ = remove(waiter)
    return waiter
  }

  /// Removes a waiter.
  ///
  /// - Returns: Whether it was in the list. If so, the caller must resume it.
  package mutating func remove(_ waiter: TaskWaiter) -> Bool {
    guard unsafe waiter.isQueued else { return false }
    unsafe waiter.isQueued = false
    let next = unsafe waiter.next
    let previous = unsafe waiter.previous
    if let previous { unsafe previous.next = next } else { unsafe first = next }
    if let next { unsafe next.previous = previous } else { unsafe last = previous }
    return true
  }
}
