import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// The error that sections throw; the lock's functions must rethrow it with this static type.
private enum Failure: Error, Equatable {
  case inRead(Int)
  case inWrite(Int)
}

extension ReadWriteLockContract {
  @Test(arguments: LockUnderTest.all)
  func valuesPassThrough(candidate: LockUnderTest) {
    let lock = candidate.make()
    #expect(lock.withReadLock { 1 } == 1)
    #expect(lock.withWriteLock { "two" } == "two")
    let nothing: Int? = lock.withReadLock { nil }
    #expect(nothing == nil)
    #expect(lock.withWriteLock { (1, [2, 3]) } == (1, [2, 3]))
  }

  @Test(arguments: LockUnderTest.all)
  func theBodyRunsOnceOnTheCallingThread(candidate: LockUnderTest) {
    let lock = candidate.make()
    // Plain variables suffice, because the bodies must run on the calling thread.
    var reads = 0
    var writes = 0
    lock.withReadLock { reads += 1 }
    lock.withWriteLock { writes += 1 }
    #expect(reads == 1)
    #expect(writes == 1)
  }

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

  @Test(arguments: LockUnderTest.all)
  func objectsAreReleasedOnce(candidate: LockUnderTest) {
    let lock = candidate.make()
    let lifetimes = Lifetimes()
    for number in 0..<10 {
      let read = lock.withReadLock { Tracked(lifetimes, number: number) }
      let written = lock.withWriteLock { Tracked(lifetimes, number: number) }
      #expect(read.number == written.number)
    }
    #expect(lifetimes.made == 20)
    #expect(lifetimes.alive == 0)
  }

  @Test(arguments: LockUnderTest.all)
  func errorsPassThroughWithTheirType(candidate: LockUnderTest) {
    let lock = candidate.make()
    // `read` and `write` compile only if the lock's functions preserve the type of the error.
    func read() throws(Failure) -> Int {
      try lock.withReadLock { () throws(Failure) -> Int in throw .inRead(1) }
    }
    func write() throws(Failure) -> Int {
      try lock.withWriteLock { () throws(Failure) -> Int in throw .inWrite(2) }
    }
    #expect(throws: Failure.inRead(1)) { try read() }
    #expect(throws: Failure.inWrite(2)) { try write() }
  }

  @Test(arguments: LockUnderTest.all)
  func anErrorReleasesTheLock(candidate: LockUnderTest) {
    let lock = candidate.make()
    let twins = Twins()
    for number in 0..<100 {
      do throws(Failure) {
        try lock.withReadLock { () throws(Failure) in throw .inRead(number) }
        Issue.record("a read section swallowed the error")
      } catch {
        #expect(error == .inRead(number))
      }
      do throws(Failure) {
        try lock.withWriteLock { () throws(Failure) in
          twins.change()
          throw .inWrite(number)
        }
        Issue.record("a write section swallowed the error")
      } catch {
        #expect(error == .inWrite(number))
      }
    }
    // If one of the failed sections had not released the lock, these acquisitions would wait forever.
    let agree = onAnotherThread {
      lock.withWriteLock { twins.change() }
      return lock.withReadLock { twins.agree() }
    }
    #expect(agree)
    #expect(twins.count == 101)
  }
}
