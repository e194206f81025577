import ReadWriteLocks
import TestSupport
import Testing

/// Tests the promises of `DispatchReadWriteLock` beyond those in `ReadWriteLockContract`.
@Suite struct DispatchReadWriteLockTests {
  @Test func anInnerReadSectionEndsWithoutEndingTheOuter() {
    let lock = DispatchReadWriteLock(label: "Interlock.Tests")
    let twins = Twins()
    let rounds = StressSize.pick(quick: 500, full: 10_000)
    let catches = race(threads: 4) { index -> Int in
      var catches = 0
      for _ in 0..<rounds {
        if index < 2 {
          lock.withWriteLock { twins.change() }
        } else {
          lock.withReadLock {
            lock.withReadLock {}
            // After the inner section, the outer section must still exclude writers, which make the twins
            // differ for a moment.
            if !twins.agree(pause: PlatformThread.yield) { catches += 1 }
          }
        }
      }
      return catches
    }
    #expect(catches.allSatisfy { $0 == 0 })
  }
}
