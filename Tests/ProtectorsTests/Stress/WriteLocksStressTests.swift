import InterlockCore
import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests threads that transfer money between accounts.
///
/// Each account has a protector of its own.
@Suite struct WriteLocksStressTests {
  /// Lets threads move money between accounts, and checks the sum.
  ///
  /// Some threads lock two accounts in random order, some lock all accounts, and some nest two sections. If
  /// the threads deadlock, the watchdog ends the test.
  ///
  /// - Parameters:
  ///   - make: Makes a protector of a number.
  ///   - change: Runs its argument in a write section of the protector.
  private func moveMoney<Lock: RawLock & ~Copyable, Account: GuardedValue<Int, Lock>>(
    _ make: (Int) -> Account, _ change: @escaping @Sendable (Account, (inout Int) -> Void) -> Void
  ) {
    let accounts = (0..<4).map { _ in make(1_000) }
    let rounds = StressSize.pick(quick: 2_000, full: 200_000)
    race(threads: 6) { index in
      var random = Seed.current.generator(stream: index)
      for _ in 0..<rounds {
        let from = Int(random.next() % 4)
        let to = (from + 1 + Int(random.next() % 3)) % 4
        let amount = Int(random.next() % 10)
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
          change(accounts[min(from, to)]) { outer in
            outer -= amount
            change(accounts[max(from, to)]) { $0 += amount }
          }
        }
      }
    }
    let sum = withWriteLocks(accounts) { $0.reduce(0, +) }
    #expect(sum == 4_000)
  }

  private func moveMoney<Lock: RawReadWriteLock & ~Copyable>(_ makeLock: () -> Lock) {
    moveMoney({ LockProtector($0, lock: makeLock()) }, { $0.withWriteLock($1) })
  }

  @Test func writeLocksLoseNoMoneyWithBiasedLocks() { moveMoney { BiasedReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithCompactLocks() { moveMoney { CompactReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithUnfairLocks() {
    moveMoney({ ExclusiveProtector($0) }, { $0.withLock($1) })
  }
  @Test func writeLocksLoseNoMoneyWithSpinLocks() { moveMoney { SpinReadWriteLock() } }
  @Test func writeLocksLoseNoMoneyWithPosixLocks() { moveMoney { PosixReadWriteLock() } }

  /// Readers in long sections of both protectors hold back a call only a few times as long as a write section.
  ///
  /// Once a call waited only a millisecond for its second lock, and 8 readers with sections of 10 ms kept it
  /// waiting for 12 s, while they read thousands of times. In a process of its own, because one call of a process
  /// is patient at a time, and that of another test might be.
  @Test(arguments: ["biased", "compact", "exclusive"])
  func aCallEndsBesideBusyReaders(lock: String) async {
    await #expect(processExitsWith: .success) { [lock = lock as String] in
      switch lock {
      case "biased": Self.countReadsDuringCalls({ Protector(0) }, { $0.withReadLock { _ in Self.read() } })
      case "compact":
        Self.countReadsDuringCalls(
          { LockProtector(0, lock: CompactReadWriteLock()) }, { $0.withReadLock { _ in Self.read() } })
      default: Self.countReadsDuringCalls({ ExclusiveProtector(0) }, { $0.withLock { _ in Self.read() } })
      }
    }
  }

  private static func read() { MonotonicClock.sleep(.milliseconds(4)) }

  private static func countReadsDuringCalls<Lock: RawLock & ~Copyable, Number: GuardedValue<Int, Lock>>(
    _ make: () -> Number, _ read: @escaping @Sendable (Number) -> Void
  ) {
    let protectors = (0..<2).map { _ in make() }
    let readers = 8
    let calls = 20
    let reads = RelaxedCounter()
    let isOver = Protector(false)
    let counts = Protector<[Int]>([])
    race(threads: readers + 1) { index in
      if index < readers {
        var protector = index % 2
        while !isOver.withReadLock({ $0 }) {
          read(protectors[protector])
          _ = reads.add(1)
          protector = 1 - protector
        }
      } else {
        for _ in 0..<calls {
          // All readers are under way.
          let begun = reads.value
          while reads.value < begun + readers { PlatformThread.yield() }
          let before = reads.value
          withWriteLocks(protectors[0], protectors[1]) {
            $0 += 1; $1 += 1
          }
          counts.withWriteLock { $0.append(reads.value - before) }
        }
        isOver.withWriteLock { $0 = true }
      }
    }
    // 24 are usual, and 65 the mean beside endless loops; without patient calls it is several hundred.
    // The median: one call may last as long as its thread is interrupted.
    let median = counts.withReadLock { $0.sorted()[calls / 2] }
    Swift.precondition(median <= 30 * readers, "\(counts.value) reads during the calls")
  }
}
