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
      let read = lock.withWriteLock {
        onAnotherThread { MonotonicClock.measure { lock.withReadLock(timeout: timeout) { true } } }
      }
      #expect(read.result == nil)
      #expect(read.elapsed >= timeout)

      let written = lock.withWriteLock {
        onAnotherThread { MonotonicClock.measure { lock.withWriteLock(timeout: timeout) { true } } }
      }
      #expect(written.result == nil)
      #expect(written.elapsed >= timeout)

      let writtenDuringRead = lock.withReadLock {
        onAnotherThread { MonotonicClock.measure { lock.withWriteLock(timeout: timeout) { true } } }
      }
      #expect(writtenDuringRead.result == nil)
      #expect(writtenDuringRead.elapsed >= timeout)
    }
  }

  @Test(arguments: TimedLockUnderTest.all)
  func aTimeoutOfZeroAcquiresAFreeLock(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let failures = (0..<10_000).count { _ in
      lock.withReadLock(timeout: .zero) {} == nil || lock.withWriteLock(timeout: .zero) {} == nil
    }
    #expect(failures == 0)
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
  func timedFormsPassErrorsAndResultsThrough(candidate: TimedLockUnderTest) {
    struct Failure: Error, Equatable {
      var number: Int
    }
    let lock = candidate.make()
    func read() throws(Failure) {
      _ = try lock.withReadLock(timeout: .seconds(1)) { () throws(Failure) in throw Failure(number: 1) }
    }
    func write() throws(Failure) {
      _ = try lock.withWriteLock(timeout: .seconds(1)) { () throws(Failure) in throw Failure(number: 2) }
    }
    func readIfAvailable() throws(Failure) {
      _ = try lock.withReadLockIfAvailable { () throws(Failure) in throw Failure(number: 3) }
    }
    func writeIfAvailable() throws(Failure) {
      _ = try lock.withWriteLockIfAvailable { () throws(Failure) in throw Failure(number: 4) }
    }
    #expect(throws: Failure(number: 1)) { try read() }
    #expect(throws: Failure(number: 2)) { try write() }
    #expect(throws: Failure(number: 3)) { try readIfAvailable() }
    #expect(throws: Failure(number: 4)) { try writeIfAvailable() }
    // The lock is available only if each of the four failed calls has released it.
    #expect(onAnotherThread { lock.withWriteLockIfAvailable { true } } == true)

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
      reportActivity(index.isMultiple(of: 2) ? "waits to read" : "waits to write")
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
      reportActivity("waits to write")
      return lock.withWriteLock(timeout: timeout) { hasEnded.isSet }
    }
    #expect(results == [true, true])
  }
}
