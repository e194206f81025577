import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests of the functions with timeouts.
extension ReadWriteLockContract {
  @Test(arguments: TimedLockUnderTest.all)
  func theBodyDoesNotCountTowardsTheTimeout(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    // The calls must succeed although their bodies take longer than the timeouts, which limit only the waits.
    let read = unlessTimedOut {
      try lock.withReadLock(timeout: .milliseconds(1)) {
        MonotonicClock.sleep(.milliseconds(3))
        return 1
      }
    }
    let written = unlessTimedOut {
      try lock.withWriteLock(timeout: .milliseconds(1)) {
        MonotonicClock.sleep(.milliseconds(3))
        return 2
      }
    }
    #expect(read == 1)
    #expect(written == 2)
  }

  @Test(arguments: TimedLockUnderTest.all)
  func timedFormsPassResultsThrough(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let lifetimes = Lifetimes()
    do {
      guard
        let read = unlessTimedOut({
          try lock.withReadLock(timeout: .zero, { TrackedToken(lifetimes, number: 5) })
        }),
        let written = unlessTimedOut({
          try lock.withWriteLock(timeout: .zero, { TrackedToken(lifetimes, number: 6) })
        })
      else {
        Issue.record("a free lock was not available")
        return
      }
      let numbers = [read.number, written.number]
      #expect(numbers == [5, 6])
    }
    #expect(lifetimes.made == 2)
    #expect(lifetimes.alive == 0)
  }

  // MARK: Success

  /// A wait must succeed when the lock is released before the timeout expires.
  ///
  /// A timeout that is too long for the clock must never expire.
  @Test(arguments: TimedLockUnderTest.all, [Duration.seconds(1000), .seconds(Int64.max)])
  func aTimedWaitSucceedsWhenTheLockIsReleased(candidate: TimedLockUnderTest, timeout: Duration) {
    let lock = candidate.make()
    let isHeld = Signal()
    let results = race(threads: 5) { index -> Bool? in
      guard index > 0 else {
        return lock.withWriteLock {
          isHeld.send()
          // The sleep gives the other threads time to begin to wait. A wait that ends early returns `nil`,
          // and makes the test fail.
          MonotonicClock.sleep(.milliseconds(20))
          return true
        }
      }
      isHeld.wait()
      return index.isMultiple(of: 2)
        ? unlessTimedOut { try lock.withReadLock(timeout: timeout) { true } }
        : unlessTimedOut { try lock.withWriteLock(timeout: timeout) { true } }
    }
    #expect(results.allSatisfy { $0 == true })
  }
}
