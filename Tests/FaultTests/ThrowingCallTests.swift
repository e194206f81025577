import TestSupport
import Testing

/// Errors from every point of every call that takes a closure which may throw.
@Suite struct ThrowingCallTests {
  /// Makes the call, with an error, and says what is wrong.
  private func complaints(
    about call: ThrowingCall, number: Int, atItsPoint: @escaping @Sendable () -> Void = {},
    afterwards: (ThrowingCall.Attempt) -> Bool
  ) -> [String] {
    let lifetimes = Lifetimes()
    var complaints: [String] = []
    do {
      let attempt = call.make(lifetimes)
      let before = lifetimes.alive
      do throws(Failure) {
        try attempt.fail(Fault(lifetimes: lifetimes, number: number, atItsPoint: atItsPoint))
        complaints.append("the error was swallowed")
      } catch {
        if error.number != number { complaints.append("another error came out") }
      }
      // Values that were replaced, and one that was made to stay, balance or are the subject's.
      if lifetimes.alive > before + 1 {
        complaints.append("\(lifetimes.alive - before) objects more are alive")
      }
      if !afterwards(attempt) { complaints.append("the subject is not as documented") }
    }
    if lifetimes.alive != 0 { complaints.append("\(lifetimes.alive) objects are leaked") }
    return complaints
  }

  @Test(arguments: ThrowingCall.all)
  func theErrorComesOutAndTheSubjectIsAsDocumented(call: ThrowingCall) {
    for number in 0..<3 {
      let found = complaints(about: call, number: number) { attempt in
        // What was not let go would be missed by another thread, and found by the same one.
        onAnotherThread { attempt.isAsDocumented() } && attempt.isAsDocumented()
      }
      #expect(found == [])
    }
  }

  /// The same while another thread waits for the section to end: it is woken.
  @Test(arguments: ThrowingCall.all)
  func whoWaitsForTheSectionGoesOn(call: ThrowingCall) {
    let lifetimes = Lifetimes()
    do {
      let attempt = call.make(lifetimes)
      let isInside = Signal()
      let results = race(threads: 2) { index -> Bool in
        if index == 1 {
          isInside.wait()
          reportActivity("uses the subject, in which the other thread is")
          return attempt.isAsDocumented()
        }
        reportActivity("calls, to fail")
        do throws(Failure) {
          try attempt.fail(
            Fault(lifetimes: lifetimes, number: 1) {
              isInside.send()
              // Time for the other thread to begin to wait; nothing that is expected depends on it.
              MonotonicClock.sleep(.milliseconds(1))
            })
          return false
        } catch {
          return error.number == 1
        }
      }
      #expect(results == [true, true])
    }
    #expect(lifetimes.alive == 0)
  }
}
