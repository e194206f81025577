import ReadWriteLocks
import TestSupport
import Testing

/// What `SpinReadWriteLock` promises beyond the contract.
@Suite struct SpinReadWriteLockTests {
  @Test func takesFourBytes() {
    #expect(MemoryLayout<SpinReadWriteLock>.size == 4)
    #expect(MemoryLayout<SpinReadWriteLock>.stride == 4)
  }

  @Test func destroyingItWhileReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = SpinReadWriteLock()
      }
      // An over-release destroys the lock inside its own section.
      let owner = Unmanaged.passRetained(Owner())
      owner._withUnsafeGuaranteedRef { object in object.lock.withReadLock { owner.release() } }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "SpinReadWriteLock: destroyed while a thread holds it; "
        + "keep the lock alive until every section has ended")
  }

  @Test func destroyingItWhileWrittenTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = SpinReadWriteLock()
      }
      let owner = Unmanaged.passRetained(Owner())
      owner._withUnsafeGuaranteedRef { object in object.lock.withWriteLock { owner.release() } }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "SpinReadWriteLock: destroyed while a thread holds it; "
        + "keep the lock alive until every section has ended")
  }
}
