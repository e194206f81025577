import ReadWriteLocks
import Testing

/// Tests the functions that an extension adds to every `TimedReadWriteLock`.
@Suite struct ReadWriteLockTests {
  @Test func aTryWithoutAResultSaysWhetherItsBodyRan() {
    let lock = CompactReadWriteLock()
    var bodies = 0
    let hasRead: Bool = lock.withReadLockIfAvailable { bodies += 1 }
    let hasWritten: Bool = lock.withWriteLockIfAvailable { bodies += 1 }
    #expect(hasRead && hasWritten && bodies == 2)
    let hasWrittenInside: Bool = lock.withReadLock { lock.withWriteLockIfAvailable { bodies += 1 } }
    let hasReadInside: Bool = lock.withWriteLock { lock.withReadLockIfAvailable { bodies += 1 } }
    #expect(!hasWrittenInside && !hasReadInside && bodies == 2)
  }
}
