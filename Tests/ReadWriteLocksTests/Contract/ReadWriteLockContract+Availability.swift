import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests of the functions that never wait, such as `withReadLockIfAvailable`.
extension ReadWriteLockContract {
  @Test(arguments: TimedLockUnderTest.all)
  func nothingIsAvailableWhileAnotherThreadWrites(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    func granted() -> Int {
      onAnotherThread {
        (0..<100).count { _ in
          lock.withReadLockIfAvailable {} != nil || lock.withWriteLockIfAvailable {} != nil
        }
      }
    }
    #expect(lock.withWriteLock { granted() } == 0)
    #expect(lock.withWriteLockIfAvailable { granted() } == 0)
    #expect(lock.withReadLockIfAvailable { 1 } == 1)
    #expect(lock.withWriteLockIfAvailable { 2 } == 2)
  }

  @Test(arguments: TimedLockUnderTest.all)
  func writingIsNotAvailableWhileAnotherThreadReads(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    func granted() -> Int {
      onAnotherThread { (0..<100).count { _ in lock.withWriteLockIfAvailable {} != nil } }
    }
    #expect(lock.withReadLock { granted() } == 0)
    #expect(lock.withReadLockIfAvailable { granted() } == 0)
    #expect(lock.withWriteLockIfAvailable { 1 } == 1)
  }

  @Test(arguments: TimedLockUnderTest.sharing)
  func readingIsAvailableWhileAnotherThreadReads(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let granted = lock.withReadLock {
      onAnotherThread { (0..<100).count { _ in lock.withReadLockIfAvailable {} != nil } }
    }
    #expect(granted == 100)
  }

  @Test(arguments: TimedLockUnderTest.all)
  func aFreeLockIsAlwaysAvailable(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let failures = (0..<50_000).count { _ in
      lock.withReadLockIfAvailable {} == nil || lock.withWriteLockIfAvailable {} == nil
        || unlessTimedOut { try lock.withReadLock(timeout: .zero) {} } == nil
        || unlessTimedOut { try lock.withWriteLock(timeout: .zero) {} } == nil
    }
    #expect(failures == 0)
  }

  /// Readers must never keep one another out, not even when two of them change the lock's word at the same
  /// time.
  @Test(arguments: TimedLockUnderTest.sharing)
  func readersNeverKeepReadersOut(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let rounds = StressSize.pick(quick: 60_000, full: 1_000_000)
    let failures = race(threads: 4) { _ in
      (0..<rounds).count { _ in lock.withReadLockIfAvailable {} == nil }
    }
    #expect(failures.allSatisfy { $0 == 0 }, "failures of each thread: \(failures)")
  }
}
