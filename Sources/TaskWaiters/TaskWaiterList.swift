/// Waiting tasks in their order of arrival: an intrusive doubly linked list.
///
/// It does not synchronise: the owner must guard it by a lock. It resumes nothing. The caller of a function
/// that takes a waiter from the list must resume the waiter, after it has released the lock.
///
/// - Complexity: O(1) for each operation, without an allocation.
package struct TaskWaiterList: ~Copyable {
  // Sound, for each `unsafe` in this type: the waiting task keeps its waiter alive while it is in a list.
  unowned(unsafe) private(set) var first: TaskWaiter?
  private unowned(unsafe) var last: TaskWaiter?

  package init() {}

  package var isEmpty: Bool { unsafe first == nil }

  /// Adds a waiter at the end.
  package mutating func append(_ waiter: TaskWaiter) {
    waiter.isQueued = true
    // A waiter that is used again, after `TaskWaiter.rearm`, still has the links of its earlier list.
    unsafe waiter.next = nil
    unsafe waiter.previous = unsafe last
    if let last = unsafe last { unsafe last.next = waiter } else { unsafe first = waiter }
    unsafe last = waiter
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
    guard waiter.isQueued else { return false }
    waiter.isQueued = false
    let next = unsafe waiter.next
    let previous = unsafe waiter.previous
    if let previous { unsafe previous.next = next } else { unsafe first = next }
    if let next { unsafe next.previous = previous } else { unsafe last = previous }
    return true
  }
}
