import TestSupport
import Testing
import UnfairLocks

@Suite struct UnfairLockTimeoutTests {
  @Test(arguments: [
    Duration.zero, .nanoseconds(1), .nanoseconds(1_000_001), .milliseconds(3), .microseconds(7_500),
  ])
  func aTimeoutDoesNotExpireEarly(timeout: Duration) {
    let lock = UnfairLock()
    for _ in 0..<5 {
      let (result, elapsed) = lock.withLock {
        onAnotherThread {
          MonotonicClock.measure { lock.withLock(timeout: timeout) { true } }
        }
      }
      #expect(result == nil)
      #expect(elapsed >= timeout)
    }
    #expect(lock.withLockIfAvailable { true } == true)
  }

  @Test func aTimeoutOfZeroTriesOnceAlsoAsTheOwner() {
    let lock = UnfairLock()
    #expect(lock.withLock { lock.withLock(timeout: .zero) { true } } == nil)
  }

  @Test(arguments: [Duration.seconds(1000), .seconds(Int64.max) * 18])
  func aTimedWaitSucceedsWhenTheLockIsReleasedInTime(timeout: Duration) {
    let lock = UnfairLock()
    let isHeld = Signal()
    let results = race(threads: 2) { index -> Bool? in
      if index == 0 {
        return lock.withLock {
          isHeld.send()
          // The sleep gives the other thread time to begin its wait. A timed wait that gave up too early
          // would return `nil`.
          MonotonicClock.sleep(.milliseconds(20))
          return true
        }
      }
      isHeld.wait()
      return lock.withLock(timeout: timeout) { true }
    }
    #expect(results == [true, true])
  }

  @Test func theBodyDoesNotCountTowardsTheTimeout() {
    let lock = UnfairLock()
    let result = lock.withLock(timeout: .milliseconds(1)) {
      // The body takes longer than the timeout, which limits only the wait for the lock.
      MonotonicClock.sleep(.milliseconds(3))
      return 5
    }
    #expect(result == 5)
  }

  @Test func aThreadThatGivesUpWakesTheNext() {
    // Several threads wait without a timeout, and one with a timeout gives up. If the thread that gives up
    // consumed a wake-up, another thread would hang.
    let lock = UnfairLock()
    for round in 0..<StressSize.pick(quick: 20, full: 500) {
      let isHeld = Signal()
      let entered = race(threads: 5) { index -> Int in
        switch index {
        case 0:
          lock.withLock {
            isHeld.send()
            // The sleep takes about as long as the timed wait, so that expiry and release coincide.
            MonotonicClock.sleep(.microseconds(500))
          }
          return 1
        case 1:
          isHeld.wait()
          let timeout = Duration.microseconds(400 + 10 * round % 200)
          return lock.withLock(timeout: timeout) { 1 } ?? 0
        default:
          isHeld.wait()
          return lock.withLock { 1 }
        }
      }
      #expect(entered.reduce(0, +) >= 4)
      #expect(lock.withLockIfAvailable { true } == true)
    }
  }
}
