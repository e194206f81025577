import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a thread whose timeout expires leaves no trace and consumes no wake-up.
extension ReadWriteLockContract {
  /// A writer that gave up must no longer keep readers out while another reader still holds the lock.
  @Test(arguments: TimedLockUnderTest.sharing)
  func aWriterThatGaveUpIsForgotten(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      lock.withReadLock {
        let written = onAnotherThread { unlessTimedOut { try lock.withWriteLock(timeout: timeout) { true } } }
        #expect(written == nil)
        // All three kinds of read must be admitted: a single try, a read with a timeout, and one without.
        #expect(onAnotherThread { lock.withReadLockIfAvailable { true } } == true)
        #expect(
          onAnotherThread { unlessTimedOut { try lock.withReadLock(timeout: .seconds(1000)) { true } } }
            == true)
        #expect(onAnotherThread { lock.withReadLock { true } })
      }
    }
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }

  /// A reader that waits behind a waiting writer must be admitted when the writer gives up.
  ///
  /// An earlier reader still holds the lock, so no unlock would wake the waiting reader.
  @Test(arguments: TimedLockUnderTest.sharing)
  func aReaderBehindAWriterThatGaveUpIsAdmitted(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for round in 0..<StressSize.pick(quick: 10, full: 200) {
      lock.withReadLock {
        let hasGivenUp = RelaxedFlag()
        concurrently(
          {
            if unlessTimedOut({ try lock.withWriteLock(timeout: .milliseconds(5), {}) }) == nil {
              hasGivenUp.set()
            }
          },
          {
            // This loop ends when the writer waits, because the lock then admits no new reader, or when the
            // writer has already given up.
            while lock.withReadLockIfAvailable({}) != nil, !hasGivenUp.isSet {
              PlatformThread.yield()
            }
            // Waits with a timeout in every other round, because threads with and without a timeout sleep in
            // different ways.
            if round.isMultiple(of: 2) {
              lock.withReadLock {}
            } else {
              while unlessTimedOut({ try lock.withReadLock(timeout: .seconds(1000), {}) }) == nil {}
            }
          })
        #expect(hasGivenUp.isSet)
      }
    }
  }

  @Test(arguments: TimedLockUnderTest.all)
  func aWriterBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    oneOfTwoGivesUp(
      holding: { body in lock.withReadLock { body() } },
      withLimit: { limit in unlessTimedOut { try lock.withWriteLock(timeout: limit) { true } } },
      without: { lock.withWriteLock { true } })
  }

  @Test(arguments: TimedLockUnderTest.all)
  func aReaderThatGaveUpLeavesNoTrace(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      let read = lock.withWriteLock {
        onAnotherThread { unlessTimedOut { try lock.withReadLock(timeout: timeout) { true } } }
      }
      #expect(read == nil)
      // These tries succeed only if the reader that gave up has left no trace in the lock's state.
      #expect(lock.withWriteLockIfAvailable { true } == true)
      #expect(lock.withReadLockIfAvailable { true } == true)
      #expect(onAnotherThread { lock.withWriteLock { lock.withReadLockIfAvailable { true } } } == nil)
    }
  }

  /// A reader that gives up must not consume the wake-up of another waiting reader.
  @Test(arguments: TimedLockUnderTest.all)
  func aReaderBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    oneOfTwoGivesUp(
      holding: { body in lock.withWriteLock { body() } },
      withLimit: { limit in unlessTimedOut { try lock.withReadLock(timeout: limit) { true } } },
      without: { lock.withReadLock { true } })
  }

  /// Checks that a waiting thread acquires the lock although the timeout of another waiting thread has
  /// expired.
  ///
  /// A third thread holds the lock, by calling `holding`, until the timeout has expired. `withLimit` must
  /// wait with the given timeout, and `without` must wait without one.
  private func oneOfTwoGivesUp(
    holding: @Sendable (() -> Void) -> Void, withLimit: @Sendable (Duration) -> Bool?,
    without: @Sendable () -> Bool
  ) {
    for _ in 0..<StressSize.pick(quick: 10, full: 200) {
      let isHeld = Signal()
      let hasGivenUp = Signal()
      let results = race(threads: 3) { index -> Bool? in
        switch index {
        case 0:
          holding {
            isHeld.send()
            hasGivenUp.wait()
          }
          return true
        case 1:
          isHeld.wait()
          let result = withLimit(.milliseconds(2))
          hasGivenUp.send()
          return result
        default:
          isHeld.wait()
          return without()
        }
      }
      #expect(results == [true, nil, true])
    }
  }
}
