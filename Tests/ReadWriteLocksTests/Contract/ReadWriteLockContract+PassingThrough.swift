import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

extension ReadWriteLockContract {
  @Test(arguments: LockUnderTest.all)
  func noncopyableResultsPassThrough(candidate: LockUnderTest) {
    let lock = candidate.make()
    let lifetimes = Lifetimes()
    do {
      let read = lock.withReadLock { TrackedToken(lifetimes, number: 1) }
      let written = lock.withWriteLock { TrackedToken(lifetimes, number: 2) }
      let numbers = [read.number, written.number]
      #expect(numbers == [1, 2])
      #expect(lifetimes.alive == 2)
    }
    #expect(lifetimes.made == 2)
    #expect(lifetimes.destroyed == 2)
  }
}
