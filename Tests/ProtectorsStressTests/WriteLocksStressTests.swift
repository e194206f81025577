import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

/// Tests threads that transfer money between accounts.
///
/// Each account has a protector of its own.
@Suite struct WriteLocksStressTests {
  /// Lets threads move money between accounts, and checks the sum.
  ///
  /// Some threads lock two accounts in random order, some lock all accounts, and some nest two sections. If
  /// the threads deadlock, the watchdog ends the test.
  private func moveMoney<Lock: TimedReadWriteLock & ~Copyable>(_ makeLock: @Sendable () -> Lock) {
    let accounts = (0..<4).map { _ in LockProtector(1_000, lock: makeLock()) }
    let rounds = StressSize.pick(quick: 2_000, full: 200_000)
    race(threads: 6) { index in
      var random = Seed.current.generator(stream: index)
      for _ in 0..<rounds {
        let from = Int(random.next() % 4)
        let to = (from + 1 + Int(random.next() % 3)) % 4
        let amount = Int(random.next() % 10)
        reportActivity("moves money")
        switch index {
        case 0, 1, 2:
          withWriteLocks(accounts[from], accounts[to]) { from, to in
            from -= amount
            to += amount
          }
        case 3:
          withWriteLocks(accounts.reversed()) { balances in
            balances[from] -= amount
            balances[to] += amount
          }
        case 4:
          let sum = withWriteLocks(accounts) { $0.reduce(0, +) }
          if sum != 4_000 { Issue.record("somebody saw \(sum) in all accounts") }
        default:
          // Nested sections acquire the account with the lower index first, so they can't deadlock.
          accounts[min(from, to)].withWriteLock { outer in
            outer -= amount
            accounts[max(from, to)].withWriteLock { $0 += amount }
          }
        }
      }
    }
    let sum = accounts.reduce(0) { sum, account in sum + account.withWriteLock { $0 } }
    #expect(sum == 4_000)
  }

  @Test func writeLocksLoseNoMoneyWithBiasedLocks() { moveMoney { BiasedReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithCompactLocks() { moveMoney { CompactReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithUnfairLocks() { moveMoney { UnfairLock() } }
  @Test func writeLocksLoseNoMoneyWithSpinLocks() { moveMoney { SpinReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithPosixLocks() { moveMoney { PosixReadWriteLock() } }
}
