import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

extension ReadWriteLockContract {
  @Test(arguments: LockUnderTest.sharing)
  func theNextWriterSeesTheWritesOfReaders(candidate: LockUnderTest) {
    let lock = candidate.make()
    // Each reader writes its own variable in read sections. The writer reads all variables in write sections,
    // and must see sums that never decrease.
    let readers = 3
    let notes = (0..<readers).map { _ in Unguarded(0) }
    let rounds = StressSize.pick(quick: 1_000, full: 20_000)
    let sums = race(threads: readers + 1) { index -> Int in
      guard index == readers else {
        for _ in 0..<rounds {
          lock.withReadLock { notes[index].value += 1 }
        }
        return 0
      }
      var last = 0
      for _ in 0..<rounds {
        let sum = lock.withWriteLock { notes.reduce(0) { $0 + $1.value } }
        if sum < last { return -1 }
        last = sum
      }
      return last
    }
    #expect(sums.allSatisfy { $0 >= 0 }, "the sum went down")
    #expect(lock.withWriteLock { notes.reduce(0) { $0 + $1.value } } == readers * rounds)
  }
}
