public import InterlockCore

/// The limit of a wait for a predicate: a deadline, or no limit, or no wait at all.
@usableFromInline
@frozen
struct WaitLimit {
  /// `.never` for an endless wait; the clock's zero, which has passed, for no wait.
  @usableFromInline
  let deadline: Deadline

  /// Whether to check the predicate once, without waiting.
  @_alwaysEmitIntoClient
  var isZero: Bool { deadline.nanoseconds == 0 }

  /// Whether to wait forever: the timeout was `nil`, or can't be represented by the clock.
  @_alwaysEmitIntoClient
  var isEndless: Bool { deadline == .never }

  /// Makes the limit of a wait that begins now.
  ///
  /// - Parameter timeout: The maximum time to wait; `nil` for no limit. A negative timeout traps.
  @_alwaysEmitIntoClient
  init(_ timeout: Duration?, for primitive: @autoclosure () -> Primitive) {
    guard let timeout else {
      deadline = .never
      return
    }
    let checked = Timeout(timeout, for: primitive())
    deadline = checked.isZero ? Deadline(nanoseconds: 0) : checked.deadlineFromNow()
  }
}
