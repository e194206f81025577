import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a thread whose timeout expires leaves no trace and consumes no wake-up.
extension ReadWriteLockContract {
  /// A writer that gave up no longer keeps readers out while another reader still holds the lock.
  @Test(arguments: TimedLockUnderTest.sharing)
  func aWriterThatGaveUpIsForgotten(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      lock.withReadLock {
        let written = onAnotherThread { lock.withWriteLock(timeout: timeout) { true } }
        #expect(written == nil)
        // Three calls for a read section: one tries once, one has a timeout, and one waits without limit. All
        // must be admitted.
        #expect(onAnotherThread { lock.withReadLockIfAvailable { true } } == true)
        #expect(onAnotherThread { lock.withReadLock(timeout: .seconds(1000)) { true } } == true)
        #expect(onAnotherThread { lock.withReadLock { true } })
      }
    }
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }

  /// A waiting writer keeps a reader out.
  ///
  /// When the writer gives up, that reader must be admitted.
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
            reportActivity("waits to write, with a limit")
            if lock.withWriteLock(timeout: .milliseconds(5), {}) == nil { hasGivenUp.set() }
          },
          {
            // This loop ends when the writer waits, or has given up already.
            while lock.withReadLockIfAvailable({}) != nil, !hasGivenUp.isSet {
              PlatformThread.yield()
            }
            reportActivity("waits to read behind the writer")
            // The reader waits with a timeout in every other round, because the two kinds of wait sleep
            // differently.
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

  @Test(arguments: TimedLockUnderTest.all)
  func aWriterBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    oneOfTwoGivesUp(
      purposes: ("waits to write, with a limit", "waits to write"),
      holding: { body in lock.withReadLock { body() } },
      withLimit: { lock.withWriteLock(timeout: $0) { true } }, without: { lock.withWriteLock { true } })
  }

  @Test(arguments: TimedLockUnderTest.all)
  func aReaderThatGaveUpLeavesNoTrace(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    for timeout in [Duration.zero, .microseconds(10), .milliseconds(2)] {
      let read = lock.withWriteLock {
        onAnotherThread { lock.withReadLock(timeout: timeout) { true } }
      }
      #expect(read == nil)
      // This write succeeds only if the reader that gave up has left no trace in the lock's state.
      #expect(lock.withWriteLockIfAvailable { true } == true)
      #expect(lock.withReadLockIfAvailable { true } == true)
      #expect(onAnotherThread { lock.withWriteLock { lock.withReadLockIfAvailable { true } } } == nil)
    }
  }

  /// A reader that gives up does not consume the wake-up of another waiting reader.
  @Test(arguments: TimedLockUnderTest.all)
  func aReaderBesideOneThatGaveUpStillGetsIn(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    oneOfTwoGivesUp(
      purposes: ("waits to read, with a limit", "waits to read"),
      holding: { body in lock.withWriteLock { body() } },
      withLimit: { lock.withReadLock(timeout: $0) { true } }, without: { lock.withReadLock { true } })
  }

  /// Two threads wait while a third one holds the lock.
  ///
  /// One of them gives up, and the other one must acquire the lock.
  private func oneOfTwoGivesUp(
    purposes: (withLimit: StaticString, without: StaticString), holding: @Sendable (() -> Void) -> Void,
    withLimit: @Sendable (Duration) -> Bool?, without: @Sendable () -> Bool
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
          reportActivity(purposes.withLimit)
          let result = withLimit(.milliseconds(2))
          hasGivenUp.send()
          return result
        default:
          isHeld.wait()
          reportActivity(purposes.without)
          return without()
        }
      }
      #expect(results == [true, nil, true])
    }
  }
}
