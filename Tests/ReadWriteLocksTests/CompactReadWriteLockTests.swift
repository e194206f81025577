import ReadWriteLocks
import TestSupport
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

  // MARK: The paired functions, whose traps are in `CrashTests`

  @Test func writersExcludeOneAnother() {
    let lock = CompactReadWriteLock()
    nonisolated(unsafe) var count = 0
    race(threads: 4) { _ in
      for _ in 0..<1000 {
        lock.unsafeWriteLock()
        defer { lock.unsafeWriteUnlock() }
        count += 1
      }
    }
    #expect(count == 4000)
  }

  @Test func readersShareAndKeepWritersOut() {
    let lock = CompactReadWriteLock()
    lock.unsafeReadLock()
    let (reads, writes): (Void?, Void?) = onAnotherThread {
      (lock.withReadLockIfAvailable {}, lock.withWriteLockIfAvailable {})
    }
    #expect(reads != nil)
    #expect(writes == nil)
    lock.unsafeReadUnlock()
    #expect(lock.withWriteLockIfAvailable {} != nil)
  }

  @Test func aWriterKeepsReadersOut() {
    let lock = CompactReadWriteLock()
    lock.unsafeWriteLock()
    let reads: Void? = onAnotherThread { lock.withReadLockIfAvailable {} }
    #expect(reads == nil)
    lock.unsafeWriteUnlock()
    #expect(lock.withReadLockIfAvailable {} != nil)
  }
}
