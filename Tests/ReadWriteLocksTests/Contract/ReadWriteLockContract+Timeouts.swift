import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests of the functions with timeouts.
extension ReadWriteLockContract {
  private static let timeouts: [Duration] = [
    .zero, .nanoseconds(1), .microseconds(100), .nanoseconds(1_000_001), .milliseconds(4),
  ]

  // MARK: Expiry

  @Test(arguments: TimedLockUnderTest.all, timeouts)
  func timeoutsAreNotEarly(candidate: TimedLockUnderTest, timeout: Duration) {
    let lock = candidate.make()
    for _ in 0..<3 {
      let waits = [
        lock.withWriteLock {
          onAnotherThread { MonotonicClock.measure { lock.withReadLock(timeout: timeout) { true } } }
        },
        lock.withWriteLock {
          onAnotherThread { MonotonicClock.measure { lock.withWriteLock(timeout: timeout) { true } } }
        },
        lock.withReadLock {
          onAnotherThread { MonotonicClock.measure { lock.withWriteLock(timeout: timeout) { true } } }
        },
      ]
      for wait in waits {
        #expect(wait.result == nil)
        #expect(wait.elapsed >= timeout)
      }
    }
  }

  @Test(arguments: TimedLockUnderTest.all)
  func theBodyDoesNotCountTowardsTheTimeout(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    // The calls must succeed although their bodies take longer than the timeouts, which limit only the waits.
    let read = lock.withReadLock(timeout: .milliseconds(1)) {
      MonotonicClock.sleep(.milliseconds(3))
      return 1
    }
    let written = lock.withWriteLock(timeout: .milliseconds(1)) {
      MonotonicClock.sleep(.milliseconds(3))
      return 2
    }
    #expect(read == 1)
    #expect(written == 2)
  }

  @Test(arguments: TimedLockUnderTest.all)
  func timedFormsPassResultsThrough(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let lifetimes = Lifetimes()
    do {
      guard let read = lock.withReadLock(timeout: .zero, { TrackedToken(lifetimes, number: 5) }),
        let written = lock.withWriteLock(timeout: .zero, { TrackedToken(lifetimes, number: 6) })
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
        ? lock.withReadLock(timeout: timeout) { true } : lock.withWriteLock(timeout: timeout) { true }
    }
    #expect(results.allSatisfy { $0 == true })
  }

  @Test(arguments: TimedLockUnderTest.all, [Duration.seconds(1000), .seconds(Int64.max)])
  func aWriterWaitsForAReader(candidate: TimedLockUnderTest, timeout: Duration) {
    let lock = candidate.make()
    let isHeld = Signal()
    let hasEnded = RelaxedFlag()
    let results = race(threads: 2) { index -> Bool? in
      guard index == 1 else {
        return lock.withReadLock {
          isHeld.send()
          // The sleep gives the writer time to begin its wait before the release.
          MonotonicClock.sleep(.milliseconds(20))
          hasEnded.set()
          return true
        }
      }
      isHeld.wait()
      return lock.withWriteLock(timeout: timeout) { hasEnded.isSet }
    }
    #expect(results == [true, true])
  }
}
