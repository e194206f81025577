import TestSupport

/// The error that closures throw in `FaultTests`.
///
/// The tested function must rethrow it with its type, and must not leak the object `tracked`.
struct Failure: Error {
  let number: Int
  let tracked: Tracked
}

/// An error for a test's closure to throw; the closure must call `strike()`, which throws it.
struct Fault: Sendable {
  /// Counts the objects that the closures make, capture and throw.
  let lifetimes: Lifetimes

  /// The number of the thrown error, by which a test recognises the error.
  let number: Int

  /// Called by `strike()`, just before it throws.
  let atItsPoint: @Sendable () -> Void

  /// Throws a `Failure` with this fault's number.
  ///
  /// The result type `Never` permits the call wherever a result is expected.
  func strike() throws(Failure) -> Never {
    // A noncopyable local value, which must be destroyed when the error leaves this function.
    let token = TrackedToken(lifetimes)
    atItsPoint()
    throw Failure(number: number, tracked: Tracked(lifetimes, number: token.number))
  }
}
