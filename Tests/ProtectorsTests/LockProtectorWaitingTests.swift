import Protectors
import LocksUnderTest
import ReadWriteLocks
import Synchronization
import TestSupport
import Testing

/// Tests `withWriteLock(waitingUntil:timeout:_:)` and `withReadLock(waitingUntil:timeout:_:)`.
@Suite struct LockProtectorWaitingTests {
  private let number = Protector(0)

  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  // MARK: Without waiting

  @Test func aTimeoutOfZeroEvaluatesThePredicateOnce() {
    let number = Protector(5)
    let looks = RelaxedCounter()
    #expect(
      timesOut {
        try number.withWriteLock(waitingUntil: { looks.counting($0 == 6) }, timeout: .zero) { _ in }
      })
    #expect(
      timesOut { try number.withReadLock(waitingUntil: { looks.counting($0 == 6) }, timeout: .zero) { _ in } }
    )
    #expect(looks.value == 2)
    #expect(
      unlessTimedOut { try number.withWriteLock(waitingUntil: { $0 == 5 }, timeout: .zero) { $0 } } == 5)
    #expect(unlessTimedOut { try number.withReadLock(waitingUntil: { $0 == 5 }, timeout: .zero) { $0 } } == 5)
  }

  // MARK: Waiting

  @Test func everyKindOfWriteEndsTheWait() {
    let steps: [@Sendable () -> Void] = [
      { number.withWriteLock { $0 += 1 } },
      { number.withWriteLock(waitingUntil: { _ in true }) { $0 += 1 } },
      {
        _ = unlessTimedOut {
          try number.withWriteLock(waitingUntil: { _ in true }, timeout: .seconds(1000)) { $0 += 1 }
        }
      },
      { while timesOut({ try number.withWriteLock(timeout: .seconds(1000)) { $0 += 1 } }) {} },
      { while number.withWriteLockIfAvailable({ $0 += 1 }) == nil { PlatformThread.yield() } },
      { number.exchange(6) },
      { number.exchange(with: { $0 + 1 }) },
      {
        try? number.withWriteLock { value throws(Failure) in
          value += 1
          throw .expected(value)
        }
      },
    ]
    for rounds in 0..<20 {
      number.exchange(0)
      concurrently(
        {
          for (index, step) in steps.enumerated() {
            // In every second round, the other thread gets time to check the number before this thread
            // changes it. In the other rounds, the check and the change race.
            if rounds % 2 == 0 { MonotonicClock.sleep(.microseconds(50)) }
            number.withReadLock(waitingUntil: { $0 == -index || index == 0 }) { _ in }
            number.withWriteLock { $0 = index }
            step()
          }
        },
        {
          for index in steps.indices {
            let seen = number.withWriteLock(waitingUntil: { $0 == index + 1 }) { value in
              value = -(index + 1)
              return true
            }
            #expect(seen == true)
          }
        })
    }
  }

  @Test func noncopyableValuesAndResultsPassThroughAfterAWait() {
    let lifetimes = Lifetimes()
    let token = Protector(TrackedToken(lifetimes, number: 1))
    concurrently(
      {
        MonotonicClock.sleep(.milliseconds(2))
        token.exchange(TrackedToken(lifetimes, number: 2))
      },
      {
        let read = token.withReadLock(waitingUntil: { $0.number == 2 }) {
          TrackedToken(lifetimes, number: $0.number + 1)
        }
        let number = read.number
        #expect(number == 3)
      },
      {
        let written = token.withWriteLock(waitingUntil: { $0.number == 2 }) {
          TrackedToken(lifetimes, number: $0.number + 2)
        }
        let number = written.number
        #expect(number == 4)
      })
    #expect(lifetimes.made == 4 && lifetimes.alive == 1)
  }

  @Test func readersThatWaitedMeet() {
    let meeting = MeetingPoint(parties: 3)
    let seen = race(threads: 4) { index -> Int? in
      if index == 3 {
        MonotonicClock.sleep(.milliseconds(2))
        number.withWriteLock { $0 = 1 }
        return 1
      }
      return number.withReadLock(waitingUntil: { $0 == 1 }) { value in
        meeting.meet()
        return value
      }
    }
    #expect(seen == [1, 1, 1, 1])
  }

  /// Each write evaluates a waiting thread's predicate once, and reads don't evaluate it.
  ///
  /// The thread stays asleep while its predicate is false.
  @Test func predicatesAreEvaluatedAfterWritesOnly() {
    let looks = RelaxedCounter()
    let writes = 50
    concurrently(
      {
        while looks.value < 1 { PlatformThread.yield() }
        // These reads must not evaluate the waiting thread's predicate.
        for _ in 0..<1_000 { number.withReadLock { _ in } }
        let before = looks.value
        #expect(before == 1)
        for _ in 0..<writes { number.withWriteLock { $0 += 1 } }
      },
      {
        number.withWriteLock(waitingUntil: { looks.counting($0 == writes) }) { _ in }
      })
    // The predicate is evaluated when the thread arrives and queues, after each write, and when the thread is
    // woken.
    #expect(looks.value == writes + 2)
  }

  /// A write that makes one thread's predicate true wakes only that thread.
  ///
  /// A thread evaluates its own predicate at most twice for each wait: when it arrives and queues, and after
  /// it was woken. A third evaluation would show that it was woken in vain.
  @Test(arguments: ProtectorUnderTest.waiting, [2, 8])
  func onlyTheThreadWhosePredicateHoldsIsWoken(candidate: ProtectorUnderTest, threads: Int) {
    let turn = candidate.protectForWaits(0)
    let rounds = StressSize.pick(quick: 2_000, full: 400_000) / threads
    let own = RelaxedCounter()
    race(threads: threads) { index in
      let me = PlatformThread.current
      for _ in 0..<rounds {
        _ = turn.withWriteLock(
          waitingUntil: { turn in
            if PlatformThread.current == me { own.add(1) }
            return turn == index
          }, timeout: nil
        ) { $0 = (index + 1) % threads }
      }
    }
    #expect(own.value <= 2 * threads * rounds)
  }

  #if canImport(Glibc)
    /// A wait without a timeout, or with one too long for the clock, must queue for the lock as every write
    /// does.
    ///
    /// A thread that only polled the lock would starve, because the read sections of this test overlap.
    @Test(arguments: [nil, Duration.seconds(Int64.max) * 18])
    func readersThatOverlapDoNotStarveAWait(timeout: Duration?) {
      let number = LockProtector(0, lock: PosixReadWriteLock())
      let isBack = RelaxedFlag()
      let started = RelaxedCounter()
      let readers = 4
      // The readers give up after about 20 seconds, so that a starved wait fails the test instead of hanging.
      let mostSections = 10_000
      let isStarved = race(threads: readers + 2) { index -> Bool in
        switch index {
        case ..<readers:
          started.add(1)
          for _ in 0..<mostSections where !isBack.isSet {
            number.withReadLock { _ in MonotonicClock.sleep(.milliseconds(2)) }
          }
          return !isBack.isSet
        case readers:
          while started.value < readers { PlatformThread.yield() }
          MonotonicClock.sleep(.milliseconds(200))
          number.withWriteLock { $0 = 1 }
        default:
          if let timeout {
            #expect(
              unlessTimedOut { try number.withWriteLock(waitingUntil: { $0 == 1 }, timeout: timeout) { $0 } }
                == 1)
          } else {
            number.withWriteLock(waitingUntil: { $0 == 1 }) { _ in }
          }
          isBack.set()
        }
        return false
      }
      #expect(!isStarved.contains(true))
    }
  #endif

  // MARK: Timeouts

  @Test(arguments: ProtectorUnderTest.waiting, [Duration.seconds(1000), .seconds(Int64.max) * 18])
  func aLongTimeoutWaits(candidate: ProtectorUnderTest, timeout: Duration) {
    let number = candidate.protectForWaits(0)
    let seen = race(threads: 3) { index -> Int? in
      switch index {
      case 0:
        MonotonicClock.sleep(.milliseconds(2))
        number.withWriteLock { $0 = 1 }
        return 1
      case 1: return number.withReadLock(waitingUntil: { $0 == 1 }, timeout: timeout) { $0 }
      default: return number.withWriteLock(waitingUntil: { $0 == 1 }, timeout: timeout) { $0 }
      }
    }
    #expect(seen == [1, 1, 1])
  }

  @Test func readersThatGiveUpAreForgotten() {
    for round in 0..<StressSize.pick(quick: 200, full: 20_000) {
      number.exchange(0)
      let seen = race(threads: 3) { index -> Int? in
        switch index {
        case 0:
          MonotonicClock.sleep(.microseconds(Int64(round % 150)))
          number.withWriteLock { $0 = 1 }
          return 1
        case 1:
          return unlessTimedOut {
            try number.withReadLock(waitingUntil: { $0 == 1 }, timeout: .microseconds(150)) { $0 }
          } ?? 1
        default:
          return number.withReadLock(waitingUntil: { $0 == 1 }) { $0 }
        }
      }
      #expect(seen == [1, 1, 1])
    }
  }

  // MARK: A value of no bytes

  /// Acquires the write lock if `number` is 0.
  ///
  /// The caller passes `number` in a register, so this register contains 0 when the lock is acquired.
  @inline(never)
  private static func write(_ turn: Protector<Void>, ifZero number: Int) {
    if number == 0 { turn.withWriteLock { _ in } }
  }

  /// In optimized code the address of a zero-size value is unspecified, and may be a 0 that a register has.
  ///
  /// Even then, the end of a write section must evaluate the predicate of the waiting thread.
  @Test func thePredicateOfAValueOfNoBytesIsEvaluated() {
    let turn = Protector(())
    let evaluations = RelaxedCounter()
    let isOver = RelaxedFlag()
    concurrently(
      {
        turn.withWriteLock(waitingUntil: { _ in evaluations.add(1) >= 100 }) { _ in }
        isOver.set()
      },
      { while !isOver.isSet { Self.write(turn, ifZero: 0) } })
    #expect(evaluations.value >= 100)
  }
}
