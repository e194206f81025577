import InterlockCore
import TestSupport
import Testing

@testable import ReadWriteLocks

/// Tests the promises of `SpinReadWriteLock` beyond those in `ReadWriteLockContract`.
@Suite struct SpinReadWriteLockTests {
  // With the trait `DeadlockDetection`, the lock is larger, because it contains a `Probe`.
  #if !DeadlockDetection
    @Test func takesFourBytes() {
      #expect(MemoryLayout<SpinReadWriteLock>.size == 4)
      #expect(MemoryLayout<SpinReadWriteLock>.stride == 4)
    }
  #endif

  @Test("A reader that waits for a writer goes before the writers that wait")
  func readerGoesFirst() {
    let lock = SpinReadWriteLock()
    // Sets the state of a lock that one writer holds and another writer waits for.
    let writer = ThreadIdentity.mask - 1
    lock.state.storeRelaxed(ReadWriteState.writeLocked | ReadWriteState.writersWaiting | writer)
    concurrently(
      {
        lock.withReadLock {}
      },
      {
        while !lock.state.state().has(ReadWriteState.readersFirst) { PlatformThread.yield() }
        lock.state.storeRelaxed(ReadWriteState.writersWaiting | ReadWriteState.readersFirst)
      })
    let rest = lock.state.loadRelaxed()
    #expect(rest == ReadWriteState.writersWaiting)
    lock.state.storeRelaxed(0)
  }
}
