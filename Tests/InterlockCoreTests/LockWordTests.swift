import InterlockCore
import TestSupport
import Testing

@Suite struct LockWordTests {
  @Test func compareExchangeActsOnlyOnTheExpectedValue() {
    let word = LockWord(1)
    let failed = word.compareExchangeAcquiring(expected: 2, desired: 3)
    #expect(!failed.exchanged)
    #expect(failed.original == 1)
    #expect(word.loadRelaxed() == 1)

    let acquired = word.compareExchangeAcquiring(expected: 1, desired: 3)
    #expect(acquired.exchanged)
    #expect(acquired.original == 1)

    let failedRelaxed = word.compareExchangeRelaxed(expected: 1, desired: 4)
    #expect(!failedRelaxed.exchanged)
    #expect(failedRelaxed.original == 3)
    #expect(word.compareExchangeRelaxed(expected: 3, desired: 4).exchanged)
    #expect(word.loadRelaxed() == 4)
  }

  @Test func exchangeReturnsTheOldValueAndArithmeticTheNew() {
    let word = LockWord(5)
    #expect(word.exchangeSequentiallyConsistent(10) == 5)
    #expect(word.addReleasing(3) == 13)
    #expect(word.subtractReleasing(13) == 0)
    #expect(word.subtractReleasing(1) == .max)
    #expect(word.addReleasing(1) == 0)
  }

  @Test func waitReturnsAtOnceWhenTheValueDiffers() {
    let word = LockWord(1)
    // A faulty `wait` would sleep for ever. The watchdog ends the test if this thread does not return.
    let outcome = onAnotherThread { word.wait(while: 0) }
    #if os(Linux) && !DarwinShim
      #expect(outcome == .notWaited)
    #else
      // Darwin may not tell it from a wake-up.
      #expect(outcome != .timedOut)
    #endif
  }

  @Test func wakeReachesNoThreadWhenNoneWaits() {
    let word = LockWord()
    #expect(word.wake(count: .max) == 0)
  }

  @Test func wakeReachesNoMoreThanItsCount() {
    let word = LockWord()
    let waiters = 4
    let awake = RelaxedCounter()
    let largestWake = race(threads: waiters + 1) { index -> Int in
      guard index == waiters else {
        if word.wait(while: 0) == .woken { awake.add(1) }
        return 0
      }
      var largest = 0
      // Not until so many were reported: Darwin may wake all of them, and report one.
      while awake.value < waiters {
        largest = max(largest, word.wake(count: 2))
        PlatformThread.yield()
      }
      return largest
    }.max()
    #expect(awake.value == waiters)
    #expect((1...2).contains(largestWake ?? 0))
  }

  @Test func wakesByValueChangeAreNeverLost() {
    // Two threads increment the word in turn, and wake each other. A lost wake-up would hang the test.
    let word = LockWord()
    let rounds: UInt32 = StressSize.pick(quick: 5_000, full: 500_000)
    race(threads: 2) { index in
      let parity = UInt32(index)
      for round in 0..<rounds {
        let mine = 2 * round + parity
        while true {
          let value = word.loadAcquiring()
          if value == mine { break }
          word.wait(while: value)
        }
        word.addReleasing(1)
        word.wake(count: 1)
      }
    }
    #expect(word.loadRelaxed() == 2 * rounds)
  }

  @Test(arguments: [
    Duration.zero, .nanoseconds(1), .microseconds(50), .nanoseconds(1_000_001), .milliseconds(5),
    Duration(secondsComponent: 0, attosecondsComponent: 2_500_000_000_000_001),
  ])
  func aWaitDoesNotTimeOutEarly(timeout: Duration) {
    let word = LockWord()
    for _ in 0..<10 {
      let (outcome, elapsed) = onAnotherThread {
        MonotonicClock.measure {
          word.wait(while: 0, until: Timeout(timeout, for: Primitive(.unfairLock)).deadlineFromNow())
        }
      }
      #expect(outcome == .timedOut)
      #expect(elapsed >= timeout)
    }
  }
}
