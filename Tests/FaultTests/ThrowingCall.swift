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
  static let all: [ThrowingCall] = withoutPool + concurrentIterations

  /// Those that don't have libdispatch's threads work for them, which can't be done everywhere.
  static let withoutPool: [ThrowingCall] =
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

  /// Makes the call, and what follows, without a look at what comes of it.
  func use() {
    _ = complaints(number: 0)
  }

  /// Makes the call, with an error of that number, and says what is wrong.
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
      // What was not released is missed by another thread, or found by the same one.
      if !onAnotherThread({ attempt.isAsDocumented() }) || !attempt.isAsDocumented() {
        complaints.append("the subject is not as documented")
      }
    }
    if lifetimes.alive != 0 { complaints.append("\(lifetimes.alive) objects are leaked") }
    return complaints
  }
}
