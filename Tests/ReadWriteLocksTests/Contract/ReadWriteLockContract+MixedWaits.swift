import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests waits with and without a timeout at the same time.
extension ReadWriteLockContract {
  /// A write section must exclude all other sections, even if timeouts expire just when the lock is released.
  ///
  /// The test hangs if a waiting thread is not woken.
  @Test(arguments: TimedLockUnderTest.all)
  func timeoutsThatExpireAtTheReleaseExclude(candidate: TimedLockUnderTest) {
    let lock = candidate.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 100, full: 5_000)
    let writes = race(threads: 6) { index -> Int in
      var random = Seed.current.generator(stream: index)
      var writes = 0
      for _ in 0..<rounds {
        let limit = Duration.microseconds(Int64(random.next() % 300))
        switch index {
        case 0, 1:
          reportActivity("writes for a while")
          lock.withWriteLock {
            // The section takes about as long as the other threads' timeouts, so that releases and expiries
            // coincide.
            twins.change { MonotonicClock.sleep(.microseconds(100)) }
          }
          writes += 1
        case 2, 3:
          reportActivity("waits to write, with a limit")
          if lock.withWriteLock(timeout: limit, { twins.change() }) != nil { writes += 1 }
        case 4:
          reportActivity("waits to read, with a limit")
          if lock.withReadLock(timeout: limit, { twins.agree() }) == false { return -1 }
        default:
          reportActivity("waits to read")
          if lock.withReadLock({ twins.agree() }) == false { return -1 }
        }
      }
      return writes
    }
    #expect(writes.allSatisfy { $0 >= 0 }, "a half-write was seen; \(Seed.current)")
    #expect(twins.count == writes.reduce(0, +))
    #expect(lock.withWriteLockIfAvailable { true } == true)
  }
}
