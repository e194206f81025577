public import LockSupport

/// The limit of a wait for a predicate: a deadline, or no limit, or no wait at all.
@usableFromInline
@frozen
struct WaitLimit {
  @usableFromInline
  let deadline: Deadline
  /// Whether to check the predicate once, without waiting; `deadline` must then not be used.
  @usableFromInline
  let isZero: Bool

  /// Whether to wait for ever: the timeout was `nil`, or can't be represented by the clock.
  @_alwaysEmitIntoClient
  var isEndless: Bool { deadline == .never && !isZero }

  /// Makes the limit of a wait that begins now.
  ///
  /// - Parameter timeout: The maximum time to wait; `nil` for no limit. A negative timeout traps.
  @_alwaysEmitIntoClient
  init(_ timeout: Duration?, for primitive: @autoclosure () -> Primitive) {
    guard let timeout else {
      self.init(deadline: .never, isZero: false)
      return
    }
    let checked = Timeout(timeout, for: primitive())
    self.init(deadline: checked.isZero ? .never : checked.deadlineFromNow(), isZero: checked.isZero)
  }

  @usableFromInline
  init(deadline: Deadline, isZero: Bool) {
    self.deadline = deadline
    self.isZero = isZero
  }
}
