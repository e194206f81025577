import ReadWriteLocks
import TestSupport
import Testing

/// The forms that wait for a limited time.
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
  func zeroIsEnoughForAFreeLock(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let failures = (0..<10_000).count { _ in
      lock.withReadLock(timeout: .zero) {} == nil || lock.withWriteLock(timeout: .zero) {} == nil
    }
    #expect(failures == 0)
  }

  /// The timeout limits the waiting and not the section.
  @Test(arguments: TimedLockUnderTest.all)
  func theBodyDoesNotCountTowardsTheTimeout(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    // The bodies take longer than the timeouts.
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
      try lock.withReadLock(timeout: .seconds(1)) { () throws(Failure) in throw Failure(number: 1) }
    }
    func write() throws(Failure) {
      try lock.withWriteLock(timeout: .seconds(1)) { () throws(Failure) in throw Failure(number: 2) }
    }
    func readIfAvailable() throws(Failure) {
      try lock.withReadLockIfAvailable { () throws(Failure) in throw Failure(number: 3) }
    }
    func writeIfAvailable() throws(Failure) {
      try lock.withWriteLockIfAvailable { () throws(Failure) in throw Failure(number: 4) }
    }
    #expect(throws: Failure(number: 1)) { try read() }
    #expect(throws: Failure(number: 2)) { try write() }
    #expect(throws: Failure(number: 3)) { try readIfAvailable() }
    #expect(throws: Failure(number: 4)) { try writeIfAvailable() }
    // All of them let go.
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

  /// A wait succeeds when the lock is let go in time, and a duration that no clock can represent is for ever.
  @Test(arguments: TimedLockUnderTest.all, [Duration.seconds(1000), .seconds(Int64.max)])
  func aWaitSucceedsWhenTheLockIsLetGo(candidate: TimedLockUnderTest, timeout: Duration) {
    let lock = candidate.make()
    let isHeld = Signal()
    let results = race(threads: 5) { index -> Bool? in
      guard index > 0 else {
        return lock.withWriteLock {
          isHeld.send()
          // Time for the others to begin to wait, and for one that does not wait to be wrong.
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
          // Time for the writer to begin to wait.
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

  // MARK: Giving up

  /// A writer that gave up no longer keeps readers out while another reader still holds the lock.
  @Test(arguments: TimedLockUnderTest.sharing)
  func aWriterThatGaveUpIsForgotten(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      lock.withReadLock {
        let written = onAnotherThread { lock.withWriteLock(timeout: timeout) { true } }
        #expect(written == nil)
        // Without waiting, with a limit, and without one.
        #expect(onAnotherThread { lock.withReadLockIfAvailable { true } } == true)
        #expect(onAnotherThread { lock.withReadLock(timeout: .seconds(1000)) { true } } == true)
        #expect(onAnotherThread { lock.withReadLock { true } })
      }
    }
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }

  /// A reader that a waiting writer kept out is let in when that writer gives up, although a reader still holds the
  /// lock: nobody else will wake it.
  @Test(arguments: TimedLockUnderTest.sharing)
  func aReaderBehindAWriterThatGaveUpIsLetIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for round in 0..<StressSize.pick(quick: 10, full: 200) {
      lock.withReadLock {
        let hasGivenUp = RelaxedFlag()
        concurrently(
          {
            reportActivity("waits to write, with a limit")
            if lock.withWriteLock(timeout: .milliseconds(5), {}) == nil { hasGivenUp.set() }
          },
          {
            // Until the writer is seen to wait, or has given up already.
            while lock.withReadLockIfAvailable({}) != nil, !hasGivenUp.isSet {
              PlatformThread.yield()
            }
            reportActivity("waits to read behind the writer")
            // With and without a limit, because they sleep in different ways.
            if round.isMultiple(of: 2) {
              lock.withReadLock {}
            } else {
              while lock.withReadLock(timeout: .seconds(1000), {}) == nil {}
            }
          })
        #expect(hasGivenUp.isSet)
      }
    }
  }

  /// Of two waiting writers one gives up; the other is not forgotten.
  @Test(arguments: TimedLockUnderTest.all)
  func aWriterBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for _ in 0..<StressSize.pick(quick: 10, full: 200) {
      let isHeld = Signal()
      let hasGivenUp = Signal()
      let results = race(threads: 3) { index -> Bool? in
        switch index {
        case 0:
          return lock.withReadLock {
            isHeld.send()
            hasGivenUp.wait()
            return true
          }
        case 1:
          isHeld.wait()
          reportActivity("waits to write, with a limit")
          let result = lock.withWriteLock(timeout: .milliseconds(2)) { true }
          hasGivenUp.send()
          return result
        default:
          isHeld.wait()
          reportActivity("waits to write")
          return lock.withWriteLock { true }
        }
      }
      #expect(results == [true, nil, true])
    }
  }

  /// A reader that gave up leaves nothing behind.
  @Test(arguments: TimedLockUnderTest.all)
  func aReaderThatGaveUpLeavesNoTrace(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      let read = lock.withWriteLock {
        onAnotherThread { lock.withReadLock(timeout: timeout) { true } }
      }
      #expect(read == nil)
      // Not counted as a reader, not waited for, and nobody's turn.
      #expect(lock.withWriteLockIfAvailable { true } == true)
      #expect(lock.withReadLockIfAvailable { true } == true)
      #expect(onAnotherThread { lock.withWriteLock { lock.withReadLockIfAvailable { true } } } == nil)
    }
  }

  /// A reader that gave up while another waits does not take the other's wake-up along.
  @Test(arguments: TimedLockUnderTest.all)
  func aReaderBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for _ in 0..<StressSize.pick(quick: 10, full: 200) {
      let isHeld = Signal()
      let hasGivenUp = Signal()
      let results = race(threads: 3) { index -> Bool? in
        switch index {
        case 0:
          return lock.withWriteLock {
            isHeld.send()
            hasGivenUp.wait()
            return true
          }
        case 1:
          isHeld.wait()
          reportActivity("waits to read, with a limit")
          let result = lock.withReadLock(timeout: .milliseconds(2)) { true }
          hasGivenUp.send()
          return result
        default:
          isHeld.wait()
          reportActivity("waits to read")
          return lock.withReadLock { true }
        }
      }
      #expect(results == [true, nil, true])
    }
  }

  /// Expiry and release at about the same moment, over and over: whoever succeeds is alone, and nobody is forgotten.
  @Test(arguments: TimedLockUnderTest.all)
  func expiryMeetsRelease(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 100, full: 5_000)
    let writes = race(threads: 6) { index -> Int in
      var random = Seed.current.generator(stream: index)
      var writes = 0
      for _ in 0..<rounds {
        let limit = Duration.microseconds(Int64(random.next() % 300))
        switch index {
        case 0, 1:
          reportActivity("writes for a while")
          lock.withWriteLock {
            // As long as the others' limits.
            twins.change { MonotonicClock.sleep(.microseconds(100)) }
          }
          writes += 1
        case 2, 3:
          reportActivity("waits to write, with a limit")
          if lock.withWriteLock(timeout: limit, { twins.change() }) != nil { writes += 1 }
        case 4:
          reportActivity("waits to read, with a limit")
          if lock.withReadLock(timeout: limit, { twins.agree() }) == false { return -1 }
        default:
          reportActivity("waits to read")
          if lock.withReadLock({ twins.agree() }) == false { return -1 }
        }
      }
      return writes
    }
    #expect(writes.allSatisfy { $0 >= 0 }, "a half-write was seen; \(Seed.current)")
    #expect(twins.count == writes.reduce(0, +))
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }

  /// All six operations with random limits, on more threads than processors.
  @Test(arguments: TimedLockUnderTest.all)
  func timedUntimedAndImmediateSectionsMix(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 300, full: 20_000)
    let writes = race(threads: 12) { index -> Int in
      var random = Seed.current.generator(stream: index)
      var writes = 0
      for _ in 0..<rounds {
        let limit = Duration.nanoseconds(Int64(random.next() % 200_000))
        let isLong = random.happens(percent: 10)
        let pause = { if isLong { PlatformThread.yield() } }
        reportActivity("between two sections")
        var agree: Bool? = true
        switch random.next() % 6 {
        case 0:
          reportActivity("wants to write")
          lock.withWriteLock { twins.change(pause: pause) }
          writes += 1
        case 1:
          reportActivity("wants to write, with a limit")
          if lock.withWriteLock(timeout: limit, { twins.change(pause: pause) }) != nil { writes += 1 }
        case 2:
          if lock.withWriteLockIfAvailable({ twins.change(pause: pause) }) != nil { writes += 1 }
        case 3:
          reportActivity("wants to read")
          agree = lock.withReadLock { twins.agree(pause: pause) }
        case 4:
          reportActivity("wants to read, with a limit")
          agree = lock.withReadLock(timeout: limit) { twins.agree(pause: pause) }
        default:
          agree = lock.withReadLockIfAvailable { twins.agree(pause: pause) }
        }
        if agree == false { return -1 }
      }
      return writes
    }
    #expect(writes.allSatisfy { $0 >= 0 }, "a half-write was seen; \(Seed.current)")
    #expect(twins.count == writes.reduce(0, +))
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }
}
