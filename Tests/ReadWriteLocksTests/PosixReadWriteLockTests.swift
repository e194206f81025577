import ReadWriteLocks
import TestSupport
import Testing

/// What `PosixReadWriteLock` promises beyond the contract.
@Suite struct PosixReadWriteLockTests {
  /// A section keeps its lock alive, so the lock can't be destroyed while it is held.
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
