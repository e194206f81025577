import Foundation
import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests misuse of single locks that traps, beyond that in `ReadWriteLockContract`; each is committed in a process of its
/// own.
@Suite struct CrashTests {
  private static let leaving = "leave read sections before entering new ones"

  private static let noReader =
    "CompactReadWriteLock: unlocked after reading while no thread reads; unlock as often as you locked"

  private static let insideASection =
    "DispatchReadWriteLock: locked for writing inside a section of the same lock; "
    + "take the write lock once, from outside"

  // No machine has so many threads as a lock can count readers. So the number of readers is written into the lock's
  // memory, or the system's error code is passed to the lock.
  private static let misuses = [
    Misuse("CompactReadWriteLock: more than 33 million readers at once", leaving) {
      let lock = UnsafeMutablePointer<CompactReadWriteLock>.allocate(capacity: 1)
      lock.initialize(to: CompactReadWriteLock())
      UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 25 - 1, as: UInt32.self)
      lock.pointee.withReadLock {}
    },
    Misuse("SpinReadWriteLock: more than 33 million readers at once", leaving) {
      let lock = UnsafeMutablePointer<SpinReadWriteLock>.allocate(capacity: 1)
      lock.initialize(to: SpinReadWriteLock())
      UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 25 - 1, as: UInt32.self)
      lock.pointee.withReadLock {}
    },
    Misuse("PosixReadWriteLock: more readers at once than the system can count", leaving) {
      _ = PosixReadWriteLock().check(EAGAIN, "locked for reading")
    },
    Misuse(
      "PosixReadWriteLock: locked for reading, and the system refused (error \(EINVAL))",
      "report this as a bug"
    ) {
      _ = PosixReadWriteLock().check(EINVAL, "locked for reading")
    },
    Misuse(noReader) { onAnotherThread { CompactReadWriteLock().unsafeReadUnlock() } },
    Misuse(noReader) {
      onAnotherThread {
        let lock = CompactReadWriteLock()
        lock.unsafeWriteLock()
        lock.unsafeReadUnlock()
      }
    },
    Misuse(
      "CompactReadWriteLock: unlocked after writing by a thread that does not hold it for writing",
      "unlock once, on the thread that locked"
    ) {
      onAnotherThread {
        let lock = CompactReadWriteLock()
        lock.unsafeWriteLock()
        onAnotherThread { lock.unsafeWriteUnlock() }
      }
    },
    Misuse(insideASection) {
      let lock = DispatchReadWriteLock()
      lock.withReadLock { lock.withWriteLock {} }
    },
    Misuse(insideASection) {
      let lock = DispatchReadWriteLock()
      lock.withReadLock { lock.withReadLock { lock.withWriteLock {} } }
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }

  @Test func theLastCountedReaderIsAdmitted() {
    let lock = UnsafeMutablePointer<CompactReadWriteLock>.allocate(capacity: 1)
    lock.initialize(to: CompactReadWriteLock())
    UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 25 - 2, as: UInt32.self)
    let hasEntered = lock.pointee.withReadLock { true }
    UnsafeMutableRawPointer(lock).storeBytes(of: 0, as: UInt32.self)
    lock.deinitialize(count: 1)
    lock.deallocate()
    #expect(hasEntered)
  }
}
