import TestSupport

/// A call of a tested function, whose closure throws an error, with the expected state afterwards.
struct ThrowingCall: Sendable, CustomStringConvertible {
  /// One execution of the call, on an object of its own.
  struct Attempt: Sendable {
    /// Makes the call; its closure throws the error of the given fault.
    let fail: @Sendable (Fault) throws(Failure) -> Void

    /// Uses the object again after the call; returns whether the object is in its documented state.
    ///
    /// It may be called repeatedly, on any thread.
    let isAsDocumented: @Sendable () -> Bool
  }

  /// The calls of all modules.
  static let all: [ThrowingCall] = withoutPool + concurrentIterations

  /// The calls that don't use libdispatch's threads, and so also work at the end of a thread.
  static let withoutPool: [ThrowingCall] =
    unfairLock + readWriteLocks + protectors + lazyInitialization + properties + lifecycles + iterations

  let description: String

  /// Makes a new object and prepares a call on it.
  ///
  /// The `Lifetimes` count the tracked objects that the new object contains.
  let make: @Sendable (Lifetimes) -> Attempt

  /// Describes a call.
  ///
  /// - Parameters:
  ///   - description: The call, and the point at which it throws.
  ///   - makeSubject: Makes the object on which the call is made.
  ///   - fail: Makes the call, with a closure that throws.
  ///   - isAsDocumented: Uses the object after the call; returns whether it is in its documented state.
  init<Subject: Sendable>(
    _ description: String, on makeSubject: @escaping @Sendable (Lifetimes) -> Subject,
    _ fail: @escaping @Sendable (Subject, Fault) throws(Failure) -> Void,
    then isAsDocumented: @escaping @Sendable (Subject) -> Bool
  ) {
    self.description = description
    make = { lifetimes in
      let subject = makeSubject(lifetimes)
      return Attempt(
        fail: { (fault) throws(Failure) in try fail(subject, fault) },
        isAsDocumented: { isAsDocumented(subject) })
    }
  }

  /// Makes the call on a new object, and ignores whether the call behaves as documented.
  func use() {
    _ = complaints(number: 0)
  }

  /// Makes the call on a new object, with a closure that throws a `Failure` with this number.
  ///
  /// Returns a description of each expectation that is not met; empty if the call behaves as documented.
  func complaints(number: Int) -> [String] {
    let lifetimes = Lifetimes()
    var complaints: [String] = []
    do {
      let attempt = make(lifetimes)
      do throws(Failure) {
        try attempt.fail(Fault(lifetimes: lifetimes, number: number) {})
        complaints.append("the error was swallowed")
      } catch {
        if error.number != number { complaints.append("another error came out") }
      }
      // A lock that the call failed to release would block the other thread, and would trap on this one.
      if !onAnotherThread({ attempt.isAsDocumented() }) || !attempt.isAsDocumented() {
        complaints.append("the subject is not as documented")
      }
    }
    if lifetimes.alive != 0 { complaints.append("\(lifetimes.alive) objects are leaked") }
    return complaints
  }
}

/// Makes a call that may give up, but does not, so that its error is that of its body.
func throwingFailure<R: ~Copyable>(_ call: () throws -> sending R) throws(Failure) -> sending R {
  do {
    return try call()
  } catch let failure as Failure {
    throw failure
  } catch {
    fatalError("threw \(error) instead of the body's error")
  }
}
