import ReadWriteLocks
import TestSupport
import Testing

/// Tests the promises of `PosixReadWriteLock` beyond those in `ReadWriteLockContract`.
@Suite struct PosixReadWriteLockTests {
  /// A section must keep its lock alive, so that the lock can't be destroyed while it is held.
  @Test func aSectionKeepsTheLockAlive() {
    let lifetime = Unguarded<PosixReadWriteLock?>(PosixReadWriteLock())
    weak let observer = lifetime.value
    let wasAlive = lifetime.value!.withWriteLock {
      lifetime.value = nil
      return observer != nil
    }
    #expect(wasAlive)
    #expect(observer == nil)
  }
}
