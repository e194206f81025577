import ReadWriteLocks
import TestSupport
import Testing

/// Tests the paired functions of `CompactReadWriteLock`, such as `unsafeReadLock` and `unsafeReadUnlock`;
/// `CrashTests` tests their traps.
@Suite struct CompactReadWriteLockPairTests {
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
    let (reads, writes) = onAnotherThread {
      (lock.withReadLockIfAvailable {}, lock.withWriteLockIfAvailable {})
    }
    #expect(reads)
    #expect(!writes)
    lock.unsafeReadUnlock()
    #expect(lock.withWriteLockIfAvailable {})
  }

  @Test func aWriterKeepsReadersOut() {
    let lock = CompactReadWriteLock()
    lock.unsafeWriteLock()
    let reads = onAnotherThread { lock.withReadLockIfAvailable {} }
    #expect(!reads)
    lock.unsafeWriteUnlock()
    #expect(lock.withReadLockIfAvailable {})
  }
}
