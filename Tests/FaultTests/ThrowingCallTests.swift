import TestSupport
import Testing

/// Tests every call that takes a throwing closure, with a closure that throws.
///
/// The call must throw the same error, must leak nothing, and must leave its object in the documented state.
@Suite struct ThrowingCallTests {
  @Test(arguments: ThrowingCall.all)
  func theErrorComesOutAndTheSubjectIsAsDocumented(call: ThrowingCall) {
    for number in 0..<3 {
      // The call is made on another thread, so that the watchdog ends the test if the call hangs.
      #expect(onAnotherThread { call.complaints(number: number) } == [])
    }
  }

  @Test(arguments: ThrowingCall.all)
  func aThreadThatWaitsForTheSectionAcquiresAfterTheError(call: ThrowingCall) {
    let lifetimes = Lifetimes()
    do {
      let attempt = call.make(lifetimes)
      let isInside = Signal()
      let results = race(threads: 2) { index -> Bool in
        if index == 1 {
          isInside.wait()
          return attempt.isAsDocumented()
        }
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
