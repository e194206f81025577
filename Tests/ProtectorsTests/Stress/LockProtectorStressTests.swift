import Protectors
import LocksUnderTest
import TestSupport
import Testing

@Suite(.serialized) struct LockProtectorStressTests {
  @Test(arguments: ProtectorUnderTest.allCases)
  func noMoneyIsMadeOrLost(stressed: ProtectorUnderTest) {
    let bank = stressed.protect(Bank(accounts: 16))
    let rounds = StressSize.pick(quick: 800, full: 80_000)
    let imbalances = race(threads: 16) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return (0..<rounds).count { round in
        if random.happens(percent: 20) {
          bank.withWriteLock { bank in
            bank.transfer(using: &random) {
              // A sleep in some of the sections makes other threads queue.
              if round % 256 == 0 { MonotonicClock.sleep(.microseconds(100)) }
            }
          }
          return false
        }
        return bank.withReadLock { bank in
          return !bank.isBalanced
        }
      }
    }
    #expect(imbalances.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(bank.withReadLock { $0.isBalanced })
  }

  @Test(arguments: ProtectorUnderTest.allCases)
  func objectsAreReplacedAndReadOut(stressed: ProtectorUnderTest) {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 1_500, full: 150_000)
    do {
      let object = stressed.protect(Tracked(lifetimes, number: 0))
      let wrongNumbers = race(threads: 6) { index -> Int in
        var random = Seed.current.generator(stream: index)
        return (0..<rounds).count { round in
          if random.happens(percent: 30) {
            object.withWriteLock { $0 = Tracked(lifetimes, number: round) }
            return false
          }
          let mine = object.withReadLock { $0 }
          return !(0..<rounds).contains(mine.number)
        }
      }
      #expect(wrongNumbers.allSatisfy { $0 == 0 })
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.alive == 0)
  }

  /// The last of several threads that release a protector must destroy it, exactly once.
  ///
  /// Each thread releases the protector right after its last section.
  @Test(arguments: ProtectorUnderTest.allCases)
  func theLastOfSeveralThreadsDestroysAProtectorAndItsValue(stressed: ProtectorUnderTest) {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 300, full: 30_000)
    let threads = 4
    let meeting = MeetingPoint(parties: threads)
    let shared = Unguarded<(any ProtectedValue<Tracked>)?>(nil)
    race(threads: threads) { index in
      for round in 0..<rounds {
        if index == 0 { shared.value = stressed.protect(Tracked(lifetimes)) }
        meeting.meet()
        let mine = shared.value
        meeting.meet()
        // After this assignment only the threads' own references keep the protector alive.
        if index == 0 { shared.value = nil }
        mine?.withWriteLock { $0 = Tracked(lifetimes, number: round) }
      }
    }
    #expect(lifetimes.made == (threads + 1) * rounds)
    #expect(lifetimes.alive == 0)
  }
}
