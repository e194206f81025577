import ReadWriteLocks
import Testing

/// Tests the functions that an extension adds to every `RawReadWriteLock`.
@Suite struct ReadWriteLockTests {
  @Test func aTryWithoutAResultSaysWhetherItsBodyRan() {
    let lock = CompactReadWriteLock()
    var bodies = 0
    let hasRead: Bool = lock.withReadLockIfAvailable { bodies += 1 }
    let hasWritten: Bool = lock.withWriteLockIfAvailable { bodies += 1 }
    let hasReadInTime: Bool = lock.withReadLock(timeout: .zero) { bodies += 1 }
    let hasWrittenInTime: Bool = lock.withWriteLock(timeout: .zero) { bodies += 1 }
    #expect(hasRead && hasWritten && hasReadInTime && hasWrittenInTime && bodies == 4)
    let hasWrittenInside: Bool = lock.withReadLock { lock.withWriteLockIfAvailable { bodies += 1 } }
    let hasReadInside: Bool = lock.withWriteLock { lock.withReadLockIfAvailable { bodies += 1 } }
    let hasWrittenLate: Bool = lock.withReadLock { lock.withWriteLock(timeout: .zero) { bodies += 1 } }
    let hasReadLate: Bool = lock.withWriteLock { lock.withReadLock(timeout: .zero) { bodies += 1 } }
    #expect(!hasWrittenInside && !hasReadInside && !hasWrittenLate && !hasReadLate && bodies == 4)
  }
}
