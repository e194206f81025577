import Protectors
import ProtectorsUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// A thread whose time has passed is back at once, whatever the others do with the lock.
///
/// Here a thread that is not back keeps others from going on for ever, so what a test does not catch the
/// watchdog does. What a test is about may not come to pass in a round, because time passes where the machine
/// likes; then there is another round.
@Suite(.serialized) struct LockProtectorGivingUpTests {
  private enum Access: CaseIterable, Sendable {
    case reading, writing

    /// Waits for `predicate`.
    ///
    /// A writer subtracts `amount` from the number.
    func wait(
      for number: any ProtectedValue<Int>, timeout: Duration?, take amount: Int = 0,
      _ predicate: @Sendable (borrowing Int) -> Bool
    ) -> Int? {
      switch self {
      case .reading: number.withReadLock(waitingUntil: predicate, timeout: timeout) { $0 }
      case .writing:
        number.withWriteLock(waitingUntil: predicate, timeout: timeout) { value in
          value -= amount
          return value
        }
      }
    }
  }

  /// Repeats `round` until it has shown what it is about.
  ///
  /// - Parameter round: Is given a factor for its timeouts, which grows to 64: a busy machine needs more time.
  private func repeatUntilShown(_ round: (_ factor: Int) -> Bool) {
    let isShown = (0..<2_000).contains { round(1 << min($0 / 4, 6)) }
    #expect(isShown, "what this test is about has not come to pass in any round")
  }

  /// A thread times out in the queue, while another thread holds the lock until the first one has returned.
  @Test(arguments: ProtectorUnderTest.allCases, Access.allCases)
  private func aHeldLockDoesNotKeepAThreadInTheQueue(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(3 * factor)
      let number = candidate.protect(0)
      let looks = RelaxedCounter()
      let isBack = Signal()
      let wasQueued = RelaxedFlag()
      concurrently(
        {
          reportActivity("waits in the queue")
          let wait = MonotonicClock.measure {
            access.wait(for: number, timeout: timeout) {
              looks.add(1)
              return $0 == 1
            }
          }
          isBack.send()
          #expect(wait.result == nil)
          #expect(wait.elapsed >= timeout)
        },
        {
          // The predicate is evaluated on arrival, and in the section in which the thread queues.
          while looks.value < 2, !isBack.isSent { PlatformThread.yield() }
          number.withWriteLock { _ in
            if !isBack.isSent { wasQueued.set() }
            reportActivity("holds the lock until the other thread is back")
            isBack.wait()
          }
        })
      // No trace of the thread is left.
      number.withWriteLock { $0 = 1 }
      return wasQueued.isSet
    }
  }

  /// One that was notified to enter, and can't: it gives up as well, and another one that waits is notified
  /// in its place.
  ///
  /// The lock is held for reading, so that no write follows which could find the other one.
  @Test(arguments: ProtectorUnderTest.timed)
  func whoIsServedAndCannotEnterPassesOn(candidate: ProtectorUnderTest) {
    repeatUntilShown { factor in
      let permits = candidate.protect(0)
      let looks = RelaxedCounter()
      let isFirstBack = Signal()
      let gaveUpServed = RelaxedFlag()
      let sawPermit = RelaxedFlag()
      concurrently(
        {
          // The first in the queue.
          let taken = Access.writing.wait(for: permits, timeout: .milliseconds(3 * factor), take: 1) {
            value in
            looks.add(1)
            if value > 0 { sawPermit.set() }
            return value > 0
          }
          if taken == nil, sawPermit.isSet { gaveUpServed.set() }
          isFirstBack.send()
          if taken != nil { permits.withWriteLock { $0 += 1 } }
        },
        {
          while looks.value < 2, !isFirstBack.isSent { PlatformThread.yield() }
          reportActivity("waits without a limit")
          let left = Access.writing.wait(for: permits, timeout: nil, take: 1) { value in
            looks.add(1)
            return value > 0
          }
          #expect(left == 0)
        },
        {
          while looks.value < 4, !isFirstBack.isSent { PlatformThread.yield() }
          permits.withWriteLock { $0 = 1 }
          permits.withReadLock { _ in
            reportActivity("reads until the first thread is back")
            isFirstBack.wait()
          }
        })
      #expect(permits.withReadLock { $0 } == 0)
      return gaveUpServed.isSet
    }
  }

  /// A thread does not return while another one evaluates its predicate; but one whose predicate is not being
  /// evaluated does not wait for that.
  @Test(arguments: ProtectorUnderTest.allCases, Access.allCases)
  private func onlyTheOwnPredicateIsWaitedFor(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let number = candidate.protect(0)
      let looks = RelaxedCounter()
      let isOtherBack = Signal()
      let isInPredicate = Signal()
      let hasLeftPredicate = RelaxedFlag()
      concurrently(
        {
          _ = access.wait(for: number, timeout: .milliseconds(5 * factor)) { value in
            looks.add(1)
            guard value == 1 else { return false }
            isInPredicate.send()
            reportActivity("stays in the predicate until another thread has given up")
            isOtherBack.wait()
            hasLeftPredicate.set()
            return true
          }
          // If somebody was in the predicate, it was over before this thread went on.
          if isInPredicate.isSent { #expect(hasLeftPredicate.isSet) }
        },
        {
          while looks.value < 2 { PlatformThread.yield() }
          _ = access.wait(for: number, timeout: .milliseconds(12 * factor)) { value in
            looks.add(1)
            return value == 2
          }
          isOtherBack.send()
        },
        {
          while looks.value < 4, !isOtherBack.isSent { PlatformThread.yield() }
          number.withWriteLock { $0 = 1 }
        })
      return isInPredicate.isSent
    }
  }

  /// A thread whose time passes while its predicate is being evaluated, and found true, has not waited in
  /// vain.
  @Test(arguments: ProtectorUnderTest.timed, Access.allCases)
  private func aPredicateThatIsFoundTrueCounts(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(5 * factor)
      let number = candidate.protect(0)
      let looks = RelaxedCounter()
      let isFoundTooLate = RelaxedFlag()
      concurrently(
        {
          let me = PlatformThread.current
          let wait = access.wait(for: number, timeout: timeout) { value in
            looks.add(1)
            guard value == 1 else { return false }
            if PlatformThread.current != me {
              MonotonicClock.sleep(timeout)
              isFoundTooLate.set()
            }
            return true
          }
          if isFoundTooLate.isSet { #expect(wait == 1) }
        },
        {
          while looks.value < 2 { PlatformThread.yield() }
          number.withWriteLock { $0 = 1 }
        })
      return isFoundTooLate.isSet
    }
  }

  /// A thread whose time has passed looks once more: here another one was chosen that takes long to come.
  @Test func aPredicateThatHoldsAtTheEndCounts() {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(5 * factor)
      let isSecondBack = Signal()
      // The first thread comes, queues, and is kept from entering when it has been served.
      let number = LockProtector(0, lock: LateLock(lateEntry: 3) { isSecondBack.wait() })
      let looks = RelaxedCounter()
      let isShown = RelaxedFlag()
      concurrently(
        {
          reportActivity("waits without a limit, and comes late")
          number.withWriteLock(
            waitingUntil: {
              looks.add(1)
              return $0 > 0
            }
          ) { $0 -= 1 }
        },
        {
          while looks.value < 2 { PlatformThread.yield() }
          let wait = MonotonicClock.measure {
            number.withWriteLock(
              waitingUntil: {
                looks.add(1)
                return $0 > 0
              }, timeout: timeout
            ) { value in
              value -= 1
              return value
            }
          }
          isSecondBack.send()
          if wait.result != nil, wait.elapsed >= timeout { isShown.set() }
        },
        {
          while looks.value < 4, !isSecondBack.isSent { PlatformThread.yield() }
          _ = number.withWriteLock(timeout: .seconds(1000)) { $0 = 2 }
        })
      return isShown.isSet
    }
  }

  /// The first look needs the lock too; it is not waited for any longer than that.
  @Test(arguments: ProtectorUnderTest.timed, Access.allCases)
  private func aHeldLockDoesNotKeepAThreadThatComes(candidate: ProtectorUnderTest, access: Access) {
    let number = candidate.protect(1)
    let timeout = Duration.milliseconds(2)
    let wait = number.withWriteLock { _ in
      onAnotherThread {
        MonotonicClock.measure { access.wait(for: number, timeout: timeout) { $0 == 1 } }
      }
    }
    #expect(wait.result == nil)
    #expect(wait.elapsed >= timeout)
    #expect(access.wait(for: number, timeout: timeout) { $0 == 1 } == 1)
  }

  /// Many that wait with limits and one without: whoever gives up, the one without is served.
  @Test(arguments: ProtectorUnderTest.allCases)
  func whoeverGivesUpTheOthersAreServed(candidate: ProtectorUnderTest) {
    let permits = candidate.protect(0)
    for round in 0..<StressSize.pick(quick: 50, full: 5_000) {
      let taken = race(threads: 8) { index -> Int in
        switch index {
        case 0:
          // About when the time of the others passes.
          MonotonicClock.sleep(.microseconds(Int64(round % 100)))
          permits.withWriteLock { $0 += 1 }
          return 0
        case 1:
          reportActivity("waits without a limit")
          return Access.writing.wait(for: permits, timeout: nil, take: 1) { $0 > 0 } == nil ? 0 : 1
        case 2:
          _ = Access.reading.wait(for: permits, timeout: .microseconds(80)) { $0 > 0 }
          return 0
        default:
          let limit = Duration.microseconds(Int64(60 + index * 10))
          guard Access.writing.wait(for: permits, timeout: limit, take: 1, { $0 > 0 }) != nil else {
            return 0
          }
          permits.withWriteLock { $0 += 1 }
          return 0
        }
      }
      #expect(taken.reduce(0, +) == 1)
    }
    #expect(permits.withReadLock { $0 } == 0)
  }
}

/// A lock that keeps one of the threads that want to write without a limit from entering, as if it were not
/// running.
private final class LateLock: TimedReadWriteLock {
  @unsafe static func unsafePromiseOfExclusion() {
    // Every section is one of `lock`.
  }

  private let lock = CompactReadWriteLock()
  private let entries = RelaxedCounter()
  private let lateEntry: Int
  private let delay: @Sendable () -> Void

  /// Runs `delay` before the write without a limit that has this number.
  init(lateEntry: Int, delay: @escaping @Sendable () -> Void) {
    self.lateEntry = lateEntry
    self.delay = delay
  }

  func withReadLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    try lock.withReadLock(body)
  }

  func withWriteLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    if entries.add(1) == lateEntry { delay() }
    return try lock.withWriteLock(body)
  }

  func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withReadLock(timeout: timeout, body)
  }

  func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try lock.withWriteLock(timeout: timeout, body)
  }
}
