import TestSupport

/// A call whose closure throws at one point, and what is to be true afterwards.
struct ThrowingCall: Sendable, CustomStringConvertible {
  /// The call on a subject of its own.
  struct Attempt: Sendable {
    /// Makes the call.
    let fail: @Sendable (Fault) throws(Failure) -> Void

    /// Uses the subject again, from whichever thread; whether it is as documented.
    let isAsDocumented: @Sendable () -> Bool
  }

  /// The calls of all modules.
  static let all: [ThrowingCall] =
    unfairLock + readWriteLocks + protectors + lazyInitialization + properties + lifecycles + iterations

  let description: String

  /// Makes a subject; what it holds is counted.
  let make: @Sendable (Lifetimes) -> Attempt

  /// - Parameters:
  ///   - description: The call, and the point.
  ///   - makeSubject: Makes what is called.
  ///   - fail: Calls it with a closure that strikes.
  ///   - isAsDocumented: Whether the subject is as documented after that; it is used, too.
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
}
