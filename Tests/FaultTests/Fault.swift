import TestSupport

/// The error that a closure throws: of one type, which no function may widen, with an object in it that nobody may keep.
struct Failure: Error {
  let number: Int
  let tracked: Tracked
}

/// What goes wrong in a closure.
struct Fault: Sendable {
  /// Counts what the closures make, capture and throw.
  let lifetimes: Lifetimes

  /// What tells the error from others.
  let number: Int

  /// Called inside the closure, before it throws.
  let atItsPoint: @Sendable () -> Void

  /// Throws, whatever was to be returned.
  func strike() throws(Failure) -> Never {
    // Something is under way in the closure, which has to be destroyed on the way out.
    let token = TrackedToken(lifetimes)
    atItsPoint()
    throw Failure(number: number, tracked: Tracked(lifetimes, number: token.number))
  }
}
