import TestSupport

/// The error that the closures of these tests throw.
///
/// A call must preserve the error's type, and must not leak the object `tracked`.
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

  /// Called by `strike()`, just before it throws.
  let atItsPoint: @Sendable () -> Void

  /// Throws the error.
  ///
  /// It returns `Never`, so it can be called wherever a result is expected.
  func strike() throws(Failure) -> Never {
    // This local value of the closure must be destroyed when the error leaves the closure.
    let token = TrackedToken(lifetimes)
    atItsPoint()
    throw Failure(number: number, tracked: Tracked(lifetimes, number: token.number))
  }
}
