#if os(Linux)
  import InterlockCore
  import TestSupport
  import Testing

  /// Tests waits that signals interrupt.
  @Suite struct InterruptedWaitTests {
    // Darwin's waits before macOS 14.4 go on after a signal.
    #if !DarwinShim
      @Test func aSignalEndsAWaitWithoutAWakeUp() {
        let word = LockWord()
        let interrupted = bombard {
          word.wait(while: 0)
        } until: {
          $0 == .notWaited
        }
        #expect(interrupted == .notWaited)
      }
    #endif

    @Test func aSignalDoesNotMakeATimeoutEarly() {
      let word = LockWord()
      // The timeout is long enough for many signals to arrive.
      let timeout = Duration.milliseconds(30)
      let start = MonotonicClock.now
      let deadline = Timeout(timeout, for: Primitive(.unfairLock)).deadlineFromNow()
      let outcome = bombard {
        word.wait(while: 0, until: deadline)
      } until: {
        $0 == .timedOut
      }
      #expect(outcome == .timedOut)
      #expect(.nanoseconds(MonotonicClock.now - start) >= timeout)
    }

    /// Repeats `wait` on a thread that constantly receives signals; returns the first outcome that `isWanted`
    /// accepts.
    private func bombard(
      _ wait: @Sendable () -> LockWord.WaitOutcome, until isWanted: @Sendable (LockWord.WaitOutcome) -> Bool
    ) -> LockWord.WaitOutcome {
      SignalStorm.race(threads: 1) { _, _ in
        var outcome: LockWord.WaitOutcome
        repeat {
          outcome = wait()
        } while !isWanted(outcome)
        return outcome
      }[0]
    }
  }
#endif
