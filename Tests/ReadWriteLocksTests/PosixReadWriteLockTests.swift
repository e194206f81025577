import ReadWriteLocks
import TestSupport
import Testing

/// Tests what `PosixReadWriteLock` promises beyond `ReadWriteLockContract`.
@Suite struct PosixReadWriteLockTests {
  /// A section keeps its lock alive, so destroying the lock while it is held is impossible.
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
