import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that each misuse of waiting and of timeouts traps; each test runs in a process of its own.
@Suite struct LockProtectorWaitingCrashTests {
  @Test func checkingInsideAWriteSectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let number = Protector(1)
      number.withWriteLock { _ in number.withReadLock(waitingUntil: { $0 == 1 }) { _ in } }
    }
    expectTrap("locked for reading by the thread that holds it for writing", in: result)
  }

  @Test func aPredicateThatUsesTheProtectorTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let number = Protector(1)
      onAnotherThread { number.withWriteLock(waitingUntil: { _ in number.value == 1 }) { _ in } }
    }
    expectTrap("locked for reading by the thread that holds it for writing", in: result)
  }
}
