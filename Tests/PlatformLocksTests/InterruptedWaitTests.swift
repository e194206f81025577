#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif
  import PlatformLocks
  import TestSupport
  import Testing

  /// Waits that signals interrupt.
  ///
  /// The process has one handler for a signal, so these tests run one after another.
  @Suite(.serialized) struct InterruptedWaitTests {
    @Test func aSignalEndsAWaitWithoutAWakeUp() {
      let word = LockWord()
      let interrupted = bombard {
        word.wait(while: 0)
      } until: {
        $0 == .notWaited
      }
      #expect(interrupted == .notWaited)
    }

    @Test func aSignalDoesNotMakeATimeoutEarly() {
      let word = LockWord()
      // Long enough for many signals to come meanwhile.
      let timeout = Duration.milliseconds(30)
      let start = MonotonicClock.now
      let deadline = Timeout(timeout, for: "LockWord").deadlineFromNow()
      let outcome = bombard {
        word.wait(while: 0, until: deadline)
      } until: {
        $0 == .timedOut
      }
      #expect(outcome == .timedOut)
      #expect(.nanoseconds(MonotonicClock.now - start) >= timeout)
    }

    /// Repeats `wait` on a thread that is sent signals all the time, until its outcome is the one wanted.
    private func bombard(
      _ wait: @Sendable () -> LockWord.WaitOutcome, until isWanted: @Sendable (LockWord.WaitOutcome) -> Bool
    ) -> LockWord.WaitOutcome {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      var previous = sigaction()
      sigaction(SIGUSR1, &action, &previous)
      defer { sigaction(SIGUSR1, &previous, nil) }

      let target = Unguarded(pthread_self())
      let isTargetKnown = Signal()
      let isDone = RelaxedFlag()
      let isQuiet = Signal()
      return race(threads: 2) { index -> LockWord.WaitOutcome in
        if index == 0 {
          // A thread inherits what its creator blocks, and the threads that tests run on block all signals.
          var mask = sigset_t()
          sigemptyset(&mask)
          sigaddset(&mask, SIGUSR1)
          pthread_sigmask(SIG_UNBLOCK, &mask, nil)
          target.value = pthread_self()
          isTargetKnown.send()
          reportActivity("waits, and is interrupted")
          var outcome: LockWord.WaitOutcome
          repeat {
            outcome = wait()
          } while !isWanted(outcome)
          isDone.set()
          // The thread must live for as long as signals are sent to it.
          isQuiet.wait()
          return outcome
        }
        isTargetKnown.wait()
        reportActivity("sends signals")
        while !isDone.isSet {
          pthread_kill(target.value, SIGUSR1)
          PlatformThread.yield()
        }
        isQuiet.send()
        return .woken
      }[0]
    }
  }
#endif
