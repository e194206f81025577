import ReadWriteLocks
import TestSupport
import Testing

/// Tests what `SpinReadWriteLock` promises beyond `ReadWriteLockContract`.
@Suite struct SpinReadWriteLockTests {
  // With the trait `DeadlockDetection`, the lock is larger, because it contains a node for the detector.
  #if !DeadlockDetection
    @Test func takesFourBytes() {
      #expect(MemoryLayout<SpinReadWriteLock>.size == 4)
      #expect(MemoryLayout<SpinReadWriteLock>.stride == 4)
    }
  #endif

  @Test func destroyingItWhileReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = SpinReadWriteLock()
      }
      // Releasing the owner once too often destroys the lock inside its own section.
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
