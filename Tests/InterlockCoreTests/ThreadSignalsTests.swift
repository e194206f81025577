#if os(Linux)
  import CForking
  import CInterlock
  import Glibc
  import Testing

  @Suite struct ThreadSignalsTests {
    /// What the main thread blocks, the program may wait for.
    ///
    /// In the child of a process, the forking thread is the main thread.
    @Test func aThreadOfAWorkerBlocksWhatTheMainThreadBlocks() {
      let finding = in_forked_child {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGUSR1)
        sigaddset(&mask, 60)  // one of real time
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        return on_thread_of_worker {
          interlock_take_signals()
          var mask = sigset_t()
          pthread_sigmask(SIG_SETMASK, nil, &mask)
          if sigismember(&mask, SIGUSR1) == 0 || sigismember(&mask, 60) == 0 { return 1 }
          return sigismember(&mask, SIGTERM) == 1 || sigismember(&mask, 40) == 1 ? 2 : 0
        }
      }
      #expect(finding == 0)
    }

    /// Not that of the main thread.
    @Test func aThreadHasTheMaskOfTheOneThatStartsIt() {
      let finding = in_forked_child {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGUSR1)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        return on_thread_of_worker {
          var mask = sigset_t()
          sigemptyset(&mask)
          sigaddset(&mask, SIGUSR2)
          pthread_sigmask(SIG_SETMASK, &mask, nil)
          interlock_take_signals()
          pthread_sigmask(SIG_SETMASK, nil, &mask)
          return sigismember(&mask, SIGUSR2) == 1 && sigismember(&mask, SIGUSR1) == 0 ? 0 : 1
        }
      }
      #expect(finding == 0)
    }
  }
#endif
