import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests locks that guard a bank: write sections transfer money, and read sections count it.
@Suite(.serialized) struct BankStressTests {
  @Test(arguments: LockUnderTest.all)
  func noMoneyIsMadeOrLost(stressed: LockUnderTest) {
    let lock = stressed.make()
    let bank = Unguarded(Bank(accounts: 16))
    let rounds = StressSize.pick(quick: 1_000, full: 100_000)
    let imbalances = race(threads: 8) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return (0..<rounds).count { round in
        if random.happens(percent: 40) {
          reportActivity("transfers")
          lock.withWriteLock {
            bank.value.transfer(using: &random) { if round % 32 == 0 { PlatformThread.yield() } }
          }
          return false
        }
        reportActivity("counts")
        return lock.withReadLock { !bank.value.isBalanced }
      }
    }
    #expect(imbalances.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(bank.value.isBalanced)
  }

  /// The sum of two banks must stay the same while threads move money between them.
  ///
  /// Each bank has a lock of its own. All threads acquire the two locks in the same order, so they can't
  /// deadlock.
  @Test(arguments: LockUnderTest.all)
  func noMoneyIsLostBetweenBanks(stressed: LockUnderTest) {
    let locks = (first: stressed.make(), second: stressed.make())
    let balances = (first: Unguarded(1_000), second: Unguarded(1_000))
    let rounds = StressSize.pick(quick: 1_000, full: 100_000)
    let imbalances = race(threads: 8) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return (0..<rounds).count { _ in
        let amount = Int.random(in: -50...50, using: &random)
        if random.happens(percent: 40) {
          reportActivity("transfers between banks")
          locks.first.withWriteLock {
            balances.first.value -= amount
            locks.second.withWriteLock { balances.second.value += amount }
          }
          return false
        }
        reportActivity("counts both banks")
        return locks.first.withReadLock {
          locks.second.withReadLock { balances.first.value + balances.second.value != 2_000 }
        }
      }
    }
    #expect(imbalances.allSatisfy { $0 == 0 }, "\(Seed.current)")
  }
}
