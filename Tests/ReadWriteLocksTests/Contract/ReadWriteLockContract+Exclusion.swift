import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

extension ReadWriteLockContract {
  /// No reader may see the difference between two plain variables that each writer changes one after the
  /// other.
  @Test(arguments: LockUnderTest.all)
  func readersNeverSeeAHalfWrite(candidate: LockUnderTest) {
    let lock = candidate.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 2_000, full: 50_000)
    let catches = race(threads: 6) { index -> Int in
      var catches = 0
      for round in 0..<rounds {
        // Yields inside a section, so that other threads run while the section is incomplete. Only every
        // sixteenth round yields, because a yield takes far longer than the rest of a round.
        let pause = { if round % 16 == 0 { PlatformThread.yield() } }
        if index < 2 {
          reportActivity("wants to write")
          lock.withWriteLock {
            reportActivity("writes")
            twins.change(pause: pause)
          }
        } else {
          reportActivity("wants to read")
          lock.withReadLock {
            reportActivity("reads")
            if !twins.agree(pause: pause) { catches += 1 }
          }
        }
      }
      return catches
    }
    #expect(catches.allSatisfy { $0 == 0 }, "half-writes seen by each thread: \(catches)")
    #expect(twins.count == 2 * rounds)
  }

  @Test(arguments: LockUnderTest.all)
  func writersExcludeWriters(candidate: LockUnderTest) {
    let lock = candidate.make()
    let count = Unguarded(0)
    let rounds = StressSize.pick(quick: 3_000, full: 100_000)
    race(threads: 4) { _ in
      reportActivity("writes")
      for round in 0..<rounds {
        lock.withWriteLock {
          let before = count.value
          if round % 64 == 0 { PlatformThread.yield() }
          count.value = before + 1
        }
      }
    }
    #expect(count.value == 4 * rounds)
  }

  @Test(arguments: LockUnderTest.all)
  func aSectionOutlastsWhatIsWaitedForInIt(candidate: LockUnderTest) {
    let lock = candidate.make()
    let isWriting = Signal()
    let hasEnded = RelaxedFlag()
    let sawTheEnd = race(threads: 3) { index -> Bool in
      switch index {
      case 0:
        lock.withWriteLock {
          isWriting.send()
          // Sleeps, so that the other threads enter their sections meanwhile if the lock wrongly admits them.
          MonotonicClock.sleep(.milliseconds(10))
          hasEnded.set()
        }
        return true
      case 1:
        isWriting.wait()
        return lock.withReadLock { hasEnded.isSet }
      default:
        isWriting.wait()
        return lock.withWriteLock { hasEnded.isSet }
      }
    }
    #expect(sawTheEnd == [true, true, true])
  }
}
