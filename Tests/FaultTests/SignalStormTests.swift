import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests every kind of wait on threads whose system calls are interrupted by signals all the time.
@Suite(.serialized) struct SignalStormTests {
  @Test(arguments: Wait.all)
  func aWaitEndsWhenItHasWhatItWaitsForAndNotBefore(wait: Wait) {
    let attempt = wait.make()
    let isHeld = Signal()
    let arrived = RelaxedCounter()
    let isReleased = RelaxedFlag()
    let results = SignalStorm.race(threads: 3) { index, storm -> Bool in
      if index > 0 {
        isHeld.wait()
        arrived.add(1)
        let isRight = attempt.wait()
        return isRight && isReleased.isSet
      }
      attempt.hold {
        isHeld.send()
        while arrived.value < 2 { PlatformThread.yield() }
        let before = storm.sent
        while storm.sent < before + 100 { MonotonicClock.sleep(.microseconds(50)) }
        isReleased.set()
      }
      return true
    }
    #expect(results == [true, true, true])
  }

  private static let timeout = Duration.milliseconds(10)

  @Test(arguments: Wait.all(timeout: timeout))
  func aTimeoutIsNotEarlyAndComes(wait: Wait) {
    let attempt = wait.make()
    let isHeld = Signal()
    let haveGivenUp = MeetingPoint(parties: 3)
    let elapsed = SignalStorm.race(threads: 3) { index, _ -> Duration? in
      if index == 0 {
        attempt.hold {
          isHeld.send()
          haveGivenUp.meet()
        }
        return nil
      }
      isHeld.wait()
      let (hasSucceeded, elapsed) = MonotonicClock.measure { attempt.wait() }
      haveGivenUp.meet()
      return hasSucceeded ? .zero : elapsed
    }
    #expect(elapsed.count == 3 && elapsed.dropFirst().allSatisfy { $0! >= Self.timeout })
  }

  /// Four threads read and write under one lock, some of them with timeouts.
  ///
  /// After a lost wake-up a thread would hang, and the watchdog would end the test.
  @Test(arguments: LockUnderTest.all)
  func noWakeUpIsLost(candidate: LockUnderTest) {
    let lock = candidate.make()
    let timed = lock as? any RawReadWriteLock
    let twins = Twins()
    let rounds = StressSize.pick(quick: 300, full: 10_000)
    let misses = SignalStorm.race(threads: 4) { index, _ -> Int in
      var random = Seed.current.generator(stream: index)
      var misses = 0
      for _ in 0..<rounds {
        switch random.next() % 5 {
        case 0, 1:
          lock.withWriteLock { twins.change { PlatformThread.yield() } }
        case 2:
          // A write whose timeout, less than 200 µs, may expire; no write if the lock has no timeouts.
          try? timed?.withWriteLock(timeout: .microseconds(Int64(random.next() % 200))) { twins.change() }
        default:
          lock.withReadLock { if !twins.agree(pause: PlatformThread.yield) { misses += 1 } }
        }
      }
      return misses
    }
    #expect(misses == [0, 0, 0, 0])
  }

  /// Four threads increment a number in turn: each waits until the number modulo 4 is its index.
  @Test(arguments: ProtectorUnderTest.waiting, [nil, Duration.seconds(1000)])
  func noTurnIsLost(candidate: ProtectorUnderTest, timeout: Duration?) {
    let turn = candidate.protectForWaits(0)
    let rounds = StressSize.pick(quick: 200, full: 10_000)
    let turns = SignalStorm.race(threads: 4) { index, _ -> Int in
      return (0..<rounds).count { _ in
        turn.withWriteLock(waitingUntil: { $0 % 4 == index }, timeout: timeout) { $0 += 1 } != nil
      }
    }
    #expect(turns == [rounds, rounds, rounds, rounds])
    #expect(turn.withReadLock { $0 } == 4 * rounds)
  }
}
