import ReadWriteLocks
import Testing

/// Tests the promises of `CompactReadWriteLock` beyond those in `ReadWriteLockContract`.
@Suite struct CompactReadWriteLockTests {
  // With the trait `DeadlockDetection`, the lock is larger, because it contains a `Probe`.
  #if !DeadlockDetection
    @Test func takesEightBytes() {
      #expect(MemoryLayout<CompactReadWriteLock>.size == 8)
      #expect(MemoryLayout<CompactReadWriteLock>.stride == 8)
      #expect(MemoryLayout<CompactReadWriteLock>.alignment == 4)
    }
  #endif
}
