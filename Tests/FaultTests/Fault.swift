import TestSupport

/// The error that a closure throws.
///
/// Its type must not be widened, and its object must not be leaked.
struct Failure: Error {
  let number: Int
  let tracked: Tracked
}

/// A fault that is injected into a closure.
struct Fault: Sendable {
  /// Counts the objects that the closures make, capture and throw.
  let lifetimes: Lifetimes

  /// The number of the error.
  let number: Int

  /// Called inside the closure, before it throws.
  let atItsPoint: @Sendable () -> Void

  /// Throws the error.
  ///
  /// It can be called wherever a result is expected.
  func strike() throws(Failure) -> Never {
    // A value that is alive in the closure, and has to be destroyed on the way out.
    let token = TrackedToken(lifetimes)
    atItsPoint()
    throw Failure(number: number, tracked: Tracked(lifetimes, number: token.number))
  }
}
