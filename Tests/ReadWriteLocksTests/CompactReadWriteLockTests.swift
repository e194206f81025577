import ReadWriteLocks
import TestSupport
import Testing

/// Tests what `CompactReadWriteLock` promises beyond `ReadWriteLockContract`.
@Suite struct CompactReadWriteLockTests {
  // With the trait `DeadlockDetection`, the lock is larger, because it contains a node for the detector.
  #if !DeadlockDetection
    @Test func takesEightBytes() {
      #expect(MemoryLayout<CompactReadWriteLock>.size == 8)
      #expect(MemoryLayout<CompactReadWriteLock>.stride == 8)
      #expect(MemoryLayout<CompactReadWriteLock>.alignment == 4)
    }
  #endif

  @Test func destroyingItWhileReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = CompactReadWriteLock()
      }
      // Releasing the owner once too often destroys the lock inside its own section.
      let owner = Unmanaged.passRetained(Owner())
      owner._withUnsafeGuaranteedRef { object in object.lock.withReadLock { owner.release() } }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "CompactReadWriteLock: destroyed while a thread holds it; "
        + "keep the lock alive until every section has ended")
  }

  @Test func destroyingItWhileWrittenTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Owner: Sendable {
        let lock = CompactReadWriteLock()
      }
      let owner = Unmanaged.passRetained(Owner())
      owner._withUnsafeGuaranteedRef { object in object.lock.withWriteLock { owner.release() } }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "CompactReadWriteLock: destroyed while a thread holds it; "
        + "keep the lock alive until every section has ended")
  }
}
