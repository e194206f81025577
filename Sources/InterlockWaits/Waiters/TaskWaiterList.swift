/// Waiting tasks in the order in which they are served.
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

  /// No waiter has a higher priority; 0 if the list is empty.
  @usableFromInline
  var priorityBound: UInt8 = 0

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
  package mutating func append(_ waiter: TaskWaiter) {
    unsafe insert(waiter, before: nil)
  }

  /// Adds a waiter at the front.
  package mutating func prepend(_ waiter: TaskWaiter) {
    unsafe insert(waiter, before: first)
  }

  private mutating func insert(_ waiter: TaskWaiter, before next: Unmanaged<TaskWaiter>?) {
    priorityBound = max(priorityBound, waiter.priority)
    unsafe insert(.passUnretained(waiter), before: next)
  }

  /// Removes and returns the waiter that came first; `nil` if the list is empty.
  @_alwaysEmitIntoClient
  package mutating func removeFirst() -> TaskWaiter? {
    guard let waiter = unsafe first else { return nil }
    unsafe unlink(waiter)
    if isEmpty { priorityBound = 0 }
    return unsafe waiter.takeUnretainedValue()
  }

  /// Removes a waiter.
  ///
  /// - Returns: Whether it was in the list. If so, the caller must resume it.
  @_alwaysEmitIntoClient
  package mutating func remove(_ waiter: TaskWaiter) -> Bool {
    guard waiter.isQueued else { return false }
    unsafe unlink(.passUnretained(waiter))
    if isEmpty { priorityBound = 0 }
    return true
  }

  // MARK: Priorities

  /// Adds a waiter before those at the end that have lower priorities and may be overtaken once more.
  ///
  /// - Complexity: O(1) for each waiter that is overtaken, so in total O(*n*) for *n* waiters.
  package mutating func insertByPriority(_ waiter: TaskWaiter) {
    unsafe move(waiter, forwardFrom: nil)
  }

  /// Raises the priority of a waiter, and moves it forward if the list has an order by priority.
  ///
  /// - Returns: Whether the waiter is in the list and had a lower priority.
  package mutating func raise(_ waiter: TaskWaiter, to priority: UInt8, reordering: Bool) -> Bool {
    guard waiter.isQueued, waiter.priority < priority else { return false }
    unsafe waiter.knownPriority = priority
    if reordering {
      let follower = unsafe waiter.next
      unsafe unlink(.passUnretained(waiter))
      unsafe move(waiter, forwardFrom: follower)
    } else {
      priorityBound = max(priorityBound, priority)
    }
    return true
  }

  /// Raises the priorities of a waiter in the list and of all before it, or of all for `nil`, as far as they are lower,
  /// and passes those waiters to `body`.
  ///
  /// Only this function may raise priorities in the list. So where one is not lower, none before it is.
  ///
  /// - Complexity: O(1) for each waiter that is passed to `body`.
  package mutating func raise(upTo last: TaskWaiter?, to priority: UInt8, _ body: (TaskWaiter) -> Void) {
    var next = last ?? (unsafe waiterBefore(nil))
    while let waiter = next, waiter.priority < priority {
      unsafe waiter.knownPriority = priority
      body(waiter)
      next = unsafe waiterBefore(.passUnretained(waiter))
    }
  }

  private mutating func move(_ waiter: TaskWaiter, forwardFrom end: Unmanaged<TaskWaiter>?) {
    var next = unsafe end
    while let other = unsafe waiterBefore(next), other.mayBeOvertaken(by: waiter) {
      other.overtakings += 1
      unsafe next = .passUnretained(other)
    }
    unsafe insert(waiter, before: next)
  }

  /// The waiter before another one, or the last one for `nil`.
  private func waiterBefore(_ next: Unmanaged<TaskWaiter>?) -> TaskWaiter? {
    guard let first = unsafe first else { return nil }
    let follower = unsafe next ?? first
    if unsafe next != nil && follower.toOpaque() == first.toOpaque() { return nil }
    return unsafe follower.takeUnretainedValue().previous?.takeUnretainedValue()
  }

  /// The highest priority of the waiters; 0 if there are none.
  ///
  /// - Complexity: O(*n*), but O(1) if the first waiter has the highest priority that the list has seen since this was
  ///   last called or the list was empty.
  package mutating func highestPriority() -> UInt8 {
    var highest: UInt8 = 0
    var next = unsafe first
    while highest < priorityBound, let waiter = unsafe next {
      highest = unsafe max(highest, waiter._withUnsafeGuaranteedRef { $0.priority })
      unsafe next = Self[next: waiter]
    }
    priorityBound = highest
    return highest
  }
}
