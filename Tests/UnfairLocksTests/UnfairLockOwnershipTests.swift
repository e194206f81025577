import TestSupport
import Testing
import UnfairLocks

/// Tests calls of `UnfairLock.precondition(_:_:)` whose condition holds.
///
/// `UnfairLockCrashTests` tests the calls that trap.
@Suite struct UnfairLockOwnershipTests {
  @Test func theThreadInASectionIsTheOwner() {
    let lock = UnfairLock()
    lock.precondition(.notOwner)
    lock.withLock { lock.precondition(.owner) }
    lock.precondition(.notOwner)
    #expect(lock.withLockIfAvailable { lock.precondition(.owner) } != nil)
    lock.precondition(.notOwner)
    #expect(!timesOut { try lock.withLock(timeout: .zero) { lock.precondition(.owner) } })
    lock.precondition(.notOwner)
  }

  /// A function that calls back into itself, as users of a recursive lock expect it.
  private final class Reentrant: @unchecked Sendable {
    // Sound: `lock` guards `depth`.
    let lock = UnfairLock()
    private(set) var depth = 0

    func enter(_ times: Int) {
      func section() {
        depth += 1
        if times > 1 { enter(times - 1) }
      }
      if lock.isHeldByCurrentThread { section() } else { lock.withLock { section() } }
    }
  }

  @Test func aFunctionLocksOnlyIfItsThreadDoesNotHoldTheLock() {
    let reentrant = Reentrant()
    race(threads: 4) { _ in
      for _ in 0..<500 { reentrant.enter(3) }
      if reentrant.lock.isHeldByCurrentThread { Issue.record("the lock is still held") }
    }
    #expect(reentrant.depth == 4 * 500 * 3)
  }

  @Test func theOwnerIsKnownWhileOthersWait() {
    // While threads wait, the lock's word has a flag beside the owner's number, which the check must ignore.
    let lock = UnfairLock()
    race(threads: 4) { _ in
      for _ in 0..<500 {
        lock.precondition(.notOwner)
        lock.withLock {
          lock.precondition(.owner)
          PlatformThread.yield()
          lock.precondition(.owner)
        }
      }
    }
  }

  @Test func theMessageIsNotFormedWhenTheConditionHolds() {
    let lock = UnfairLock()
    var formed = 0
    func message() -> String {
      formed += 1
      return ""
    }
    lock.precondition(.notOwner, message())
    #expect(formed == 0)
  }
}
