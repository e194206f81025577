import ReadWriteLocks
import TestSupport
import Testing

/// Tests the paired functions of `CompactReadWriteLock`, such as `unsafeReadLock` and `unsafeReadUnlock`, and
/// their traps.
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

  @Test(arguments: [false, true]) func unlockingWhileNoThreadReadsTraps(isWriteLocked: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isWriteLocked = isWriteLocked as Bool] in
      onAnotherThread {
        let lock = CompactReadWriteLock()
        if isWriteLocked { lock.unsafeWriteLock() }
        lock.unsafeReadUnlock()
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "CompactReadWriteLock: unlocked after reading while no thread reads; "
        + "unlock as often as you locked")
  }

  @Test func unlockingTheWriterOfAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread {
        let lock = CompactReadWriteLock()
        lock.unsafeWriteLock()
        onAnotherThread { lock.unsafeWriteUnlock() }
      }
    }
    #expect(
      result?.standardErrorContent.trap
        == "CompactReadWriteLock: unlocked after writing by a thread that does not hold it for writing; "
        + "unlock once, on the thread that locked")
  }
}
