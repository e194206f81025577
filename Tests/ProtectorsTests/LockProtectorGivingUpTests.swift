import Protectors
import ProtectorsUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a thread whose timeout expires returns soon, whatever other threads do with the lock.
///
/// In these tests, a thread that does not return blocks others for ever, so the watchdog detects the failure.
/// A round may not reach the situation that a test is about, because it depends on timing. Then the test
/// repeats the round.
@Suite(.serialized) struct LockProtectorGivingUpTests {
  private enum Access: CaseIterable, Sendable {
    case reading, writing

    /// Acquires the lock as soon as `predicate` holds for the number, and returns the number.
    ///
    /// With the access `writing`, first subtracts `amount` from the number.
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

  /// Repeats `round` until an attempt reaches the situation that the test is about.
  ///
  /// - Parameter round: Makes one attempt, and returns whether it reached the situation. The attempt
  ///   multiplies its timeouts by `factor`, which grows to 64, because a busy machine needs more time.
  private func repeatUntilShown(_ round: (_ factor: Int) -> Bool) {
    let isShown = (0..<2_000).contains { round(1 << min($0 / 4, 6)) }
    #expect(isShown, "what this test is about has not come to pass in any round")
  }

  /// One thread times out in the queue.
  ///
  /// Another thread holds the lock until the first one has returned.
  @Test(arguments: ProtectorUnderTest.allCases, Access.allCases)
  private func aHeldLockDoesNotDelayATimeoutInTheQueue(candidate: ProtectorUnderTest, access: Access) {
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
          // A thread evaluates its predicate on arrival, and again when it queues. So a second evaluation
          // shows that the thread queues.
          while looks.value < 2, !isBack.isSent { PlatformThread.yield() }
          number.withWriteLock { _ in
            if !isBack.isSent { wasQueued.set() }
            reportActivity("holds the lock until the other thread is back")
            isBack.wait()
          }
        })
      // The thread that gave up has left no waiter: a write and a read proceed.
      number.withWriteLock { $0 = 1 }
      return wasQueued.isSet
    }
  }

  /// A notified thread that gives up, because it can't acquire the lock in time, must notify another waiting
  /// thread.
  ///
  /// The test holds the lock for reading, so that no write notifies the other thread.
  @Test(arguments: ProtectorUnderTest.timed)
  func aServedWriterThatCannotEnterServesTheNext(candidate: ProtectorUnderTest) {
    repeatUntilShown { factor in
      let permits = candidate.protect(0)
      let looks = RelaxedCounter()
      let isFirstBack = Signal()
      let gaveUpServed = RelaxedFlag()
      let sawPermit = RelaxedFlag()
      concurrently(
        {
          // This thread is the first in the queue.
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

  /// A thread that times out waits for the end of a running evaluation of its own predicate, but of no other
  /// predicate.
  @Test(arguments: ProtectorUnderTest.allCases, Access.allCases)
  private func aThreadThatGivesUpWaitsForItsOwnPredicateOnly(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let number = candidate.protect(0)
      let looks = RelaxedCounter()
      let isOtherBack = Signal()
      let isInPredicate = Signal()
      let hasLeftPredicate = RelaxedFlag()
      let isFirstBack = RelaxedFlag()
      concurrently(
        {
          defer { isFirstBack.set() }
          _ = access.wait(for: number, timeout: .milliseconds(5 * factor)) { value in
            looks.add(1)
            guard value == 1 else { return false }
            isInPredicate.send()
            reportActivity("stays in the predicate until another thread has given up")
            isOtherBack.wait()
            hasLeftPredicate.set()
            return true
          }
          // If the predicate was being evaluated, the evaluation ended before this thread returned.
          if isInPredicate.isSent { #expect(hasLeftPredicate.isSet) }
        },
        {
          // This loop waits until the first thread has evaluated its predicate twice, or has returned. If
          // that thread times out early, it evaluates its predicate only once.
          while looks.value < 2, !isFirstBack.isSet { PlatformThread.yield() }
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

  /// If a thread times out while its predicate is being evaluated and found true, its wait succeeds.
  @Test(arguments: ProtectorUnderTest.timed, Access.allCases)
  private func aPredicateFoundTrueDuringTheTimeoutSucceeds(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(5 * factor)
      let number = candidate.protect(0)
      let looks = RelaxedCounter()
      let isFoundTooLate = RelaxedFlag()
      let isFirstBack = RelaxedFlag()
      concurrently(
        {
          defer { isFirstBack.set() }
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
          while looks.value < 2, !isFirstBack.isSet { PlatformThread.yield() }
          number.withWriteLock { $0 = 1 }
        })
      return isFoundTooLate.isSet
    }
  }

  /// A thread that times out evaluates its predicate once more, and succeeds if the predicate holds.
  ///
  /// In this test no thread notifies the thread that times out: another thread was notified first, and
  /// acquires the lock late.
  @Test func aPredicateThatHoldsAtTheDeadlineSucceeds() {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(5 * factor)
      let isSecondBack = Signal()
      // The first thread acquires the lock three times: on arrival, when it queues, and after it was
      // notified. The lock delays the third time.
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

  /// A thread needs the lock to evaluate its predicate, but must not wait for the lock longer than its
  /// timeout.
  @Test(arguments: ProtectorUnderTest.timed, Access.allCases)
  private func aHeldLockDoesNotDelayATimeoutOnArrival(candidate: ProtectorUnderTest, access: Access) {
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

  /// Many threads wait with timeouts, and one thread waits without a timeout.
  ///
  /// The thread without a timeout must always get its permit.
  @Test(arguments: ProtectorUnderTest.allCases)
  func othersAreServedWhicheverWaiterGivesUp(candidate: ProtectorUnderTest) {
    let permits = candidate.protect(0)
    for round in 0..<StressSize.pick(quick: 50, full: 5_000) {
      let taken = race(threads: 8) { index -> Int in
        switch index {
        case 0:
          // The sleep ends about when the other threads' timeouts expire.
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

/// A lock that delays one of the writers without a timeout, as if that writer's thread did not run.
private final class LateLock: TimedReadWriteLock {
  @unsafe static func unsafePromiseOfExclusion() {
    // The promise of exclusion is kept: each section of this lock is also a section of `lock`, which keeps
    // the rules of `ReadWriteLock`.
  }

  private let lock = CompactReadWriteLock()
  private let entries = RelaxedCounter()
  private let lateEntry: Int
  private let delay: @Sendable () -> Void

  /// Makes a lock that runs `delay` before the untimed write with the number `lateEntry`.
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
