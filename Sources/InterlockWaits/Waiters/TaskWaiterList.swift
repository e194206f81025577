/// Waiting tasks in their order of arrival.
///
/// The caller of a function that takes a waiter from the list must resume the waiter, after it has released the
/// lock that guards the list.
@safe
@usableFromInline
package struct TaskWaiterList: ~Copyable, @unsafe WaiterList, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the lock that guards the list guards the links of the waiters in it, too.
  // Sound, for each `unsafe` in this type: the waiting task keeps its waiter alive while it is in a list.

  @usableFromInline
  package var first: Unmanaged<TaskWaiter>?

  package init() {}

  @usableFromInline
  package static subscript(next waiter: Unmanaged<TaskWaiter>) -> Unmanaged<TaskWaiter>? {
    get { unsafe waiter._withUnsafeGuaranteedRef { unsafe $0.next } }
    set { unsafe waiter._withUnsafeGuaranteedRef { unsafe $0.next = newValue } }
  }

  @usableFromInline
  package static subscript(previous waiter: Unmanaged<TaskWaiter>) -> Unmanaged<TaskWaiter>? {
    get { unsafe waiter._withUnsafeGuaranteedRef { unsafe $0.previous } }
    set { unsafe waiter._withUnsafeGuaranteedRef { unsafe $0.previous = newValue } }
  }

  @_alwaysEmitIntoClient
  package var isEmpty: Bool { unsafe first == nil }

  /// How much the first waiter waits for; `nil` if the list is empty.
  @_alwaysEmitIntoClient
  package var firstNeed: UInt64? { unsafe first?._withUnsafeGuaranteedRef { $0.need } }

  /// The number of waiters, for tests.
  ///
  /// - Complexity: O(*n*).
  @_alwaysEmitIntoClient
  package var count: Int {
    var count = 0
    var next = unsafe first
    while let waiter = unsafe next {
      count += 1
      unsafe next = Self[next: waiter]
    }
    return count
  }

  /// Adds a waiter at the end.
  @_alwaysEmitIntoClient
  package mutating func append(_ waiter: TaskWaiter) {
    unsafe insert(.passUnretained(waiter), before: nil)
  }

  /// Adds a waiter at the front.
  @_alwaysEmitIntoClient
  package mutating func prepend(_ waiter: TaskWaiter) {
    unsafe insert(.passUnretained(waiter), before: first)
  }

  /// Removes and returns the waiter that came first; `nil` if the list is empty.
  @_alwaysEmitIntoClient
  package mutating func removeFirst() -> TaskWaiter? {
    guard let waiter = unsafe first else { return nil }
    unsafe unlink(waiter)
    return unsafe waiter.takeUnretainedValue()
  }

  /// Removes a waiter.
  ///
  /// - Returns: Whether it was in the list. If so, the caller must resume it.
  @_alwaysEmitIntoClient
  package mutating func remove(_ waiter: TaskWaiter) -> Bool {
    guard waiter.isQueued else { return false }
    unsafe unlink(.passUnretained(waiter))
    return true
  }
}
