#if os(Linux) && !DarwinShim
  @testable import InterlockCore
  import TestSupport
  import Testing

  @testable import UnfairLocks

  /// Tests hand-overs of `UnfairLockCore`, during which only threads that have slept may acquire the lock.
  ///
  /// The tests write states directly into the lock's word.
  @Suite struct UnfairLockCoreTests {
    private static let waiters: UInt32 = 1 << 31
    private static let handOver: UInt32 = 1 << 30

    /// The `ThreadIdentity` of an imaginary thread that holds the lock.
    private static let owner = ThreadIdentity.mask - 1

    @Test(
      "Releasing a contended lock leaves the hand-over in it, and nothing else", arguments: [0, handOver])
    func releasing(flag: UInt32) {
      let core = UnfairLockCore()
      core.word.storeRelaxed(ThreadIdentity.current | Self.waiters | flag)
      core.unlock(for: Primitive(.unfairLock))
      let word = core.word.loadRelaxed()
      #expect(word == flag)
    }

    @Test("Releasing a contended lock wakes one of the threads that sleep")
    func wakingOne() {
      // Repeats the attempt, because a thread that arrives too late does not sleep, and then no thread is
      // left asleep.
      let hasLeftOneAsleep = (0..<100).contains { _ in
        let core = UnfairLockCore()
        core.word.storeRelaxed(Self.owner | Self.waiters)
        let leftAsleep = whileTwoThreads {
          core.word.wait(while: Self.owner | Self.waiters)
        } _: {
          core.word.storeRelaxed(ThreadIdentity.current | Self.waiters)
          core.unlock(for: Primitive(.unfairLock))
          return core.word.wake(count: .max)
        }
        return leftAsleep == 1
      }
      #expect(hasLeftOneAsleep)
    }

    @Test("A thread that has not slept does not take a free lock that is being handed over")
    func barging() {
      let core = UnfairLockCore()
      core.word.storeRelaxed(Self.handOver)
      let hasTaken = onAnotherThread {
        core.lock(until: Deadline(after: .milliseconds(5)), for: Primitive(.unfairLock))
      }
      #expect(!hasTaken)
      let word = core.word.loadRelaxed()
      #expect(word == Self.handOver | Self.waiters)
    }

    @Test("A thread that was woken in vain asks for a hand-over, ends it, and answers for those still asleep")
    func handingOver() {
      let core = UnfairLockCore()
      core.word.storeRelaxed(Self.owner)
      let flagsInside = Unguarded<UInt32>(0)
      let wakeUps = Unguarded(0)
      concurrently(
        {
          _ = core.lock(for: Primitive(.unfairLock))
          flagsInside.value = core.word.loadRelaxed() & ~ThreadIdentity.mask
          core.unlock(for: Primitive(.unfairLock))
        },
        {
          while core.word.loadRelaxed() != Self.owner | Self.waiters | Self.handOver {
            wakeUps.value += core.word.wake(count: 1)
            PlatformThread.yield()
          }
          // Simulates the imaginary owner's unlock, which leaves only `handOver` in the word and wakes one
          // thread.
          core.word.storeRelaxed(Self.handOver)
          core.word.wake(count: 1)
        })
      #expect(flagsInside.value == Self.waiters)
      let word = core.word.loadRelaxed()
      #expect(word == 0)
      // The thread sets `handOver` after four futile wake-ups. The loop may send a fifth one before it sees
      // the flag.
      #expect((4...5).contains(wakeUps.value))
    }

    @Test("A thread that gives up ends its hand-over, and wakes one that slept because of it")
    func givingUp() {
      let core = UnfairLockCore()
      var shown = 0
      for round in 0..<2_000 where shown < 5 {
        core.word.storeRelaxed(Self.owner)
        let isBack = RelaxedFlag()
        let isFree = Signal()
        let timeout = Timeout(.milliseconds(20 << min(round / 4, 6)), for: Primitive(.unfairLock))
        let results = race(threads: 3) { index -> Bool in
          switch index {
          case 0:
            defer { isBack.set() }
            guard core.lock(until: timeout.deadlineFromNow(), for: Primitive(.unfairLock)) else {
              return false
            }
            // The thread acquired the lock instead of timing out, so the round does not count.
            core.unlock(for: Primitive(.unfairLock))
            return true
          case 1:
            let asked = Self.owner | Self.waiters | Self.handOver
            while !isBack.isSet, core.word.loadRelaxed() != asked {
              core.word.wake(count: 1)
              PlatformThread.yield()
            }
            // Simulates two steps of other threads during the hand-over: the owner unlocks, and then a thread
            // that has not slept sets `waiters`.
            let isHandedOver = core.word.compareExchangeRelaxed(
              expected: asked, desired: Self.handOver | Self.waiters
            ).exchanged
            if !isHandedOver { core.word.storeRelaxed(0) }
            isFree.send()
            return isHandedOver
          default:
            isFree.wait()
            _ = core.lock(for: Primitive(.unfairLock))
            core.unlock(for: Primitive(.unfairLock))
            return true
          }
        }
        let word = core.word.loadRelaxed()
        #expect(word == 0)
        if results[1], !results[0] { shown += 1 }
      }
      #expect(shown == 5, "the thread gave up too early, or not at all, in nearly every round")
    }
  }
#endif
