public import PlatformLocks

/// How long to wait for a predicate: a timeout that was checked, and its end.
@usableFromInline
struct WaitLimit {
  @usableFromInline
  let deadline: Deadline
  /// To look once and not to wait.
  @usableFromInline
  let isZero: Bool

  /// To wait for ever, as a plain call does: there was no timeout, or one that the clock can't represent.
  @inlinable
  var isEndless: Bool { deadline == .never && !isZero }

  /// The wait begins now; `nil` has no end.
  @inlinable
  init(_ timeout: Duration?) {
    guard let timeout else {
      self.init(deadline: .never, isZero: false)
      return
    }
    let checked = Timeout(timeout, for: "LockProtector")
    self.init(deadline: checked.isZero ? .never : checked.deadlineFromNow(), isZero: checked.isZero)
  }

  @usableFromInline
  init(deadline: Deadline, isZero: Bool) {
    self.deadline = deadline
    self.isZero = isZero
  }
}
