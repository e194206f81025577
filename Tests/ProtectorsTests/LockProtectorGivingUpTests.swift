import InterlockCore
import Protectors
import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a thread returns soon after its timeout expires, whatever other threads do with the lock.
///
/// A thread that fails to return blocks the other threads of its test forever, and the watchdog ends the
/// test. Some situations arise only with suitable timing. A test of such a situation makes attempts until it
/// arises (see `repeatUntilShown`).
@Suite(.serialized) struct LockProtectorGivingUpTests {
  private enum Access: CaseIterable, Sendable {
    case reading, writing

    /// How often a thread evaluates its predicate until it is in the queue.
    func evaluations(of candidate: ProtectorUnderTest) -> Int {
      self == .reading ? candidate.evaluationsOfReader : 1
    }

    /// Waits until `predicate` holds for the number, and returns the number; `nil` when the timeout expires
    /// first.
    ///
    /// With the access `writing`, subtracts `amount` from the number before returning it.
    func wait(
      for number: any WaitableValue<Int>, timeout: Duration?, take amount: Int = 0,
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

  /// Repeats `round` until an attempt reaches the tested situation; fails the test after 2 000 attempts.
  ///
  /// - Parameter round: Makes one attempt, and returns whether it reached the situation. It must multiply its
  ///   timeouts by `factor`, which grows from 1 to 64, because a busy machine needs more time.
  private func repeatUntilShown(_ round: (_ factor: Int) -> Bool) {
    let isShown = (0..<2_000).contains { round(1 << min($0 / 4, 6)) }
    #expect(isShown, "what this test is about has not come to pass in any round")
  }

  /// A thread whose timeout expires in the queue must return even while another thread holds the lock.
  ///
  /// The other thread holds the lock until the first one has returned, so waiting for the lock would hang.
  @Test(arguments: ProtectorUnderTest.waiting, Access.allCases)
  private func aHeldLockDoesNotDelayATimeoutInTheQueue(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(3 * factor)
      let number = candidate.protectForWaits(0)
      let looks = RelaxedCounter()
      let isBack = Signal()
      let wasQueued = RelaxedFlag()
      concurrently(
        {
          let wait = MonotonicClock.measure {
            access.wait(for: number, timeout: timeout) { looks.counting($0 == 1) }
          }
          isBack.send()
          #expect(wait.result == nil)
          #expect(wait.elapsed >= timeout)
        },
        {
          // The last evaluation is in the write section in which the other thread queues. So the write section
          // below finds it in the queue.
          while looks.value < access.evaluations(of: candidate), !isBack.isSent { PlatformThread.yield() }
          number.withWriteLock { _ in
            if !isBack.isSent { wasQueued.set() }
            isBack.wait()
          }
        })
      // The end of this write section visits every waiter in the queue. It could crash if the thread that
      // timed out had left its waiter there.
      number.withWriteLock { $0 = 1 }
      return wasQueued.isSet
    }
  }

  /// A thread that times out must wait for a running evaluation of its own predicate, but not for an
  /// evaluation of another thread's predicate.
  @Test(arguments: ProtectorUnderTest.waiting, Access.allCases)
  private func aThreadThatGivesUpWaitsForItsOwnPredicateOnly(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let number = candidate.protectForWaits(0)
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
            isOtherBack.wait()
            hasLeftPredicate.set()
            return true
          }
          // If another thread began to evaluate this thread's predicate, that evaluation must have ended
          // before the wait returned.
          if isInPredicate.isSent { #expect(hasLeftPredicate.isSet) }
        },
        {
          // Waits until the first thread queues, or has timed out.
          while looks.value < access.evaluations(of: candidate), !isFirstBack.isSet { PlatformThread.yield() }
          _ = access.wait(for: number, timeout: .milliseconds(12 * factor)) { looks.counting($0 == 2) }
          isOtherBack.send()
        },
        {
          let evaluations = 2 * access.evaluations(of: candidate)
          while looks.value < evaluations, !isOtherBack.isSent { PlatformThread.yield() }
          number.withWriteLock { $0 = 1 }
        })
      return isInPredicate.isSent
    }
  }

  /// A wait succeeds if its timeout expires during an evaluation of its predicate that returns `true`.
  @Test(arguments: ProtectorUnderTest.waiting, Access.allCases)
  private func aPredicateFoundTrueDuringTheTimeoutSucceeds(candidate: ProtectorUnderTest, access: Access) {
    repeatUntilShown { factor in
      let timeout = Duration.milliseconds(5 * factor)
      let number = candidate.protectForWaits(0)
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
          while looks.value < access.evaluations(of: candidate), !isFirstBack.isSet { PlatformThread.yield() }
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
      // The first thread acquires the lock twice: on arrival, when it queues, and after it was notified.
      // `LateLock` delays the second acquisition until the second thread has returned.
      let number = LockProtector(0, lock: LateLock(lateEntry: 2) { isSecondBack.wait() })
      let looks = RelaxedCounter()
      let isShown = RelaxedFlag()
      concurrently(
        {
          number.withWriteLock(waitingUntil: { looks.counting($0 > 0) }) { $0 -= 1 }
        },
        {
          while looks.value < 1 { PlatformThread.yield() }
          let wait = MonotonicClock.measure {
            unlessTimedOut {
              try number.withWriteLock(waitingUntil: { looks.counting($0 > 0) }, timeout: timeout) { value in
                value -= 1
                return value
              }
            }
          }
          isSecondBack.send()
          if wait.result != nil, wait.elapsed >= timeout { isShown.set() }
        },
        {
          while looks.value < 2, !isSecondBack.isSent { PlatformThread.yield() }
          _ = unlessTimedOut { try number.withWriteLock(timeout: .seconds(1000)) { $0 = 2 } }
        })
      return isShown.isSet
    }
  }

  /// A thread needs the lock to evaluate its predicate, but must not wait for the lock longer than its
  /// timeout.
  @Test(arguments: ProtectorUnderTest.waiting, Access.allCases)
  private func aHeldLockDoesNotDelayATimeoutOnArrival(candidate: ProtectorUnderTest, access: Access) {
    let number = candidate.protectForWaits(1)
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

  /// Six threads wait for a permit with a timeout, and one thread waits without a timeout.
  ///
  /// Whichever threads time out, the thread without a timeout must get the permit.
  @Test(arguments: ProtectorUnderTest.waiting)
  func othersAreServedWhicheverWaiterGivesUp(candidate: ProtectorUnderTest) {
    let permits = candidate.protectForWaits(0)
    for round in 0..<StressSize.pick(quick: 50, full: 5_000) {
      let taken = race(threads: 8) { index -> Int in
        switch index {
        case 0:
          // The sleep ends about when the other threads' timeouts expire, so that the write can coincide with
          // an expiry.
          MonotonicClock.sleep(.microseconds(Int64(round % 100)))
          permits.withWriteLock { $0 += 1 }
          return 0
        case 1:
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

/// A lock that delays one of its untimed write sections, as if the writer's thread were not scheduled.
private final class LateLock: RawReadWriteLock {
  @unsafe static func unsafePromiseOfMutualExclusion() {
    // As below.
  }

  @unsafe static func unsafePromiseOfExclusion() {
    // Each section of this lock is also a section of `lock`, which keeps the rules of `ReadWriteLock`.
  }

  private let lock = CompactReadWriteLock()
  static func probe(of lock: LateLock) -> Probe { CompactReadWriteLock.probe(of: lock.lock) }
  private let entries = RelaxedCounter()
  private let lateEntry: Int
  private let delay: @Sendable () -> Void

  /// Makes a lock that calls `delay` before it acquires the lock for the write section number `lateEntry`.
  ///
  /// The untimed write sections are numbered from 1; write sections with a timeout have no number.
  init(lateEntry: Int, delay: @escaping @Sendable () -> Void) {
    self.lateEntry = lateEntry
    self.delay = delay
  }

  static var kind: PrimitiveKind { .compact }

  @unsafe static func unsafeLock(
    _ lock: LateLock, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    if deadline == .never, lock.entries.add(1) == lock.lateEntry { lock.delay() }
    return unsafe CompactReadWriteLock.unsafeLock(lock.lock, until: deadline, for: primitive)
  }

  @unsafe static func unsafeUnlock(_ lock: LateLock, for primitive: Primitive) {
    unsafe CompactReadWriteLock.unsafeUnlock(lock.lock, for: primitive)
  }

  @unsafe static func unsafeLockForReading(
    _ lock: LateLock, until deadline: Deadline, for primitive: Primitive
  ) -> Void? {
    unsafe CompactReadWriteLock.unsafeLockForReading(lock.lock, until: deadline, for: primitive)
  }

  @unsafe static func unsafeUnlockAfterReading(_ lock: LateLock, _ token: Void, for primitive: Primitive) {
    unsafe CompactReadWriteLock.unsafeUnlockAfterReading(lock.lock, token, for: primitive)
  }
}
