import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that each misuse of waiting and of timeouts traps; each test runs in a process of its own.
@Suite struct LockProtectorWaitingCrashTests {
  /// Whether `standardError` contains the trap message about a timeout of -1 ns, beginning with `primitive`.
  private func isNegativeTimeout(_ standardError: [UInt8]?, of primitive: String = "") -> Bool {
    guard let message = Trap.message(in: standardError) else { return false }
    return message.hasPrefix(primitive)
      && message.contains("a timeout of -1e-09 seconds is negative; pass .zero")
  }

  @Test func aNegativeTimeoutOfAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      _ = Protector(1).withWriteLock(timeout: .nanoseconds(-1)) { _ in }
    }
    #expect(isNegativeTimeout(result?.standardErrorContent))
  }

  @Test func aNegativeTimeoutOfAReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      _ = Protector(1).withReadLock(timeout: .nanoseconds(-1)) { _ in }
    }
    #expect(isNegativeTimeout(result?.standardErrorContent))
  }

  /// A negative timeout traps even if the predicate holds and no wait is needed.
  @Test func aNegativeTimeoutOfAWaitTraps() async {
    let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      onAnotherThread {
        _ = Protector(1).withWriteLock(waitingUntil: { $0 == 1 }, timeout: .nanoseconds(-1)) { _ in }
      }
    }
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      onAnotherThread {
        _ = Protector(1).withReadLock(waitingUntil: { $0 == 1 }, timeout: .nanoseconds(-1)) { _ in }
      }
    }
    #expect(isNegativeTimeout(write?.standardErrorContent, of: "Protector: "))
    #expect(isNegativeTimeout(read?.standardErrorContent, of: "Protector: "))
  }

  @Test func waitingInsideAWriteSectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      number.withWriteLock { _ in number.withWriteLock(waitingUntil: { $0 == 2 }) { _ in } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for writing by the thread that already holds it") == true, "\(message ?? "")")
  }

  @Test func checkingInsideAWriteSectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      number.withWriteLock { _ in number.withReadLock(waitingUntil: { $0 == 1 }) { _ in } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for reading by the thread that holds it for writing") == true,
      "\(message ?? "")")
  }

  @Test func aPredicateThatUsesTheProtectorTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      onAnotherThread { number.withWriteLock(waitingUntil: { _ in number.value == 1 }) { _ in } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for reading by the thread that holds it for writing") == true,
      "\(message ?? "")")
  }
}
