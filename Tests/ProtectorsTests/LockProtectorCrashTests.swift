import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that nested sections of one protector trap; each test runs in a process of its own.
@Suite struct LockProtectorCrashTests {
  @Test func writingInsideWritingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      number.withWriteLock { _ in number.withWriteLock { $0 += 1 } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for writing by the thread that already holds it") == true, "\(message ?? "")")
  }

  @Test func readingInsideWritingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      number.withWriteLock { _ in number.withReadLock { _ in } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for reading by the thread that holds it for writing") == true,
      "\(message ?? "")")
  }

  @Test func nestingExclusiveSectionsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = ExclusiveProtector(1)
      number.withLock { _ in number.withLock { $0 += 1 } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.hasPrefix("ExclusiveProtector: locked by the thread that already holds it; ") == true,
      "\(message ?? "")")
  }

  @Test func readingInsideExclusiveReadingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = ExclusiveProtector(1)
      number.withLock { _ in _ = number.value }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.hasPrefix("ExclusiveProtector: locked by the thread that already holds it; ") == true,
      "\(message ?? "")")
  }
}
