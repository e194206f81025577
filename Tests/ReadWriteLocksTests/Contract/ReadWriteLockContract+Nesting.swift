import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

extension ReadWriteLockContract {
  @Test(arguments: LockUnderTest.all)
  func sectionsOfManyLocksNest(candidate: LockUnderTest) {
    let locks = (0..<20).map { _ in candidate.make() }
    func enter(_ index: Int) -> Int {
      guard index < locks.count else { return 0 }
      guard index.isMultiple(of: 3) else {
        return locks[index].withReadLock { enter(index + 1) + 1 }
      }
      return locks[index].withWriteLock { enter(index + 1) + 1 }
    }
    #expect(enter(0) == locks.count)
    #expect(onAnotherThread { locks.allSatisfy { $0.withWriteLock { true } } })
  }

  /// Nested sections must exclude one another when all threads acquire two locks in the same order.
  @Test(arguments: LockUnderTest.all)
  func nestedSectionsExclude(candidate: LockUnderTest) {
    let outer = candidate.make()
    let inner = candidate.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 1_000, full: 20_000)
    let catches = race(threads: 4) { index -> Int in
      var catches = 0
      for _ in 0..<rounds {
        if index < 2 {
          outer.withReadLock { inner.withWriteLock { twins.change() } }
        } else {
          outer.withWriteLock { inner.withReadLock { if !twins.agree() { catches += 1 } } }
        }
      }
      return catches
    }
    #expect(catches.allSatisfy { $0 == 0 })
    #expect(twins.count == 2 * rounds)
  }
}
