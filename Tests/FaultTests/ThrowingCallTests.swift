import TestSupport
import Testing

/// Errors from every point of every call that takes a throwing closure.
@Suite struct ThrowingCallTests {
  @Test(arguments: ThrowingCall.all)
  func theErrorComesOutAndTheSubjectIsAsDocumented(call: ThrowingCall) {
    for number in 0..<3 {
      // The call is made on another thread, because the watchdog guards that.
      #expect(onAnotherThread { call.complaints(number: number) } == [])
    }
  }

  /// A thread that waits for the section is woken after the error.
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
              // The sleep gives the other thread time to begin to wait. No expectation depends on it.
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
