import TestSupport
import Testing

@testable import ReadWriteLocks

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Tests that a lock traps when it has more readers than it can count.
///
/// No machine has so many threads. The tests write the count into the lock's memory, or pass the system's
/// error code to the lock.
@Suite struct ReaderCountCrashTests {
  @Test func oneReaderTooManyTrapsInTheCompactLock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnsafeMutablePointer<CompactReadWriteLock>.allocate(capacity: 1)
      lock.initialize(to: CompactReadWriteLock())
      UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 26 - 1, as: UInt32.self)
      lock.pointee.withReadLock {}
    }
    #expect(
      result?.standardErrorContent.trap == "CompactReadWriteLock: more than 67 million readers at once; "
        + "leave read sections before entering new ones")
  }

  @Test func oneReaderTooManyTrapsInTheSpinLock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lock = UnsafeMutablePointer<SpinReadWriteLock>.allocate(capacity: 1)
      lock.initialize(to: SpinReadWriteLock())
      UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 26 - 1, as: UInt32.self)
      lock.pointee.withReadLock {}
    }
    #expect(
      result?.standardErrorContent.trap == "SpinReadWriteLock: more than 67 million readers at once; "
        + "leave read sections before entering new ones")
  }

  @Test func theLastCountedReaderIsAdmitted() {
    let lock = UnsafeMutablePointer<CompactReadWriteLock>.allocate(capacity: 1)
    lock.initialize(to: CompactReadWriteLock())
    UnsafeMutableRawPointer(lock).storeBytes(of: 1 << 26 - 2, as: UInt32.self)
    let hasEntered = lock.pointee.withReadLock { true }
    UnsafeMutableRawPointer(lock).storeBytes(of: 0, as: UInt32.self)
    lock.deinitialize(count: 1)
    lock.deallocate()
    #expect(hasEntered)
  }

  @Test func oneReaderTooManyTrapsInTheSystemsLock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PosixReadWriteLock().check(EAGAIN, "locked for reading")
    }
    #expect(
      result?.standardErrorContent.trap
        == "PosixReadWriteLock: more readers at once than the system can count; "
        + "leave read sections before entering new ones")
  }

  @Test func aRefusalByTheSystemTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PosixReadWriteLock().check(EINVAL, "locked for reading")
    }
    #expect(
      result?.standardErrorContent.trap
        == "PosixReadWriteLock: locked for reading, and the system refused (error \(EINVAL)); "
        + "report this as a bug")
  }
}
