import InterlockCore
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

@testable import Protectors

/// Tests that a thread whose predicate held is overtaken at most 64 times, whatever call overtakes it.
@Suite struct OvertakenThreadsTests {
  /// A pool, whose value is the number of its elements, and the calls that take one.
  private struct Pool: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Waits for an element, and takes it.
    let wait: @Sendable () -> Void
    /// Gives an element back.
    let give: @Sendable () -> Void
    /// Takes an element if there is one; it may wait for the lock only.
    let take: @Sendable () -> Bool
    /// Whether the waiting thread is queued and sleeps.
    let isWaited: @Sendable () -> Bool
  }

  private static func isWaited<Lock: RawLock & ~Copyable>(_ pool: GuardedValue<Int, Lock>) -> Bool {
    pool.inWriteSection { unsafe pool.waiters.waiting?.lists[.thread].first?.pointee.word.isAsleep ?? false }
  }

  private static func pools<Lock: RawReadWriteLock & ~Copyable>(
    _ name: String, _ make: @escaping @Sendable () -> LockProtector<Int, Lock>
  ) -> [Pool] {
    typealias Take = @Sendable (LockProtector<Int, Lock>) -> Bool
    let takes: [(String, Take)] = [
      (
        "a plain section",
        { pool in
          pool.withWriteLock { count in
            defer { count = max(count - 1, 0) }
            return count > 0
          }
        }
      ),
      (
        "a wait",
        { pool in !timesOut { try pool.withWriteLock(waitingUntil: { $0 > 0 }, timeout: .zero) { $0 -= 1 } } }
      ),
      (
        "a section over two values",
        { pool in
          withWriteLocks(pool, ExclusiveProtector(0)) { count, _ in
            defer { count = max(count - 1, 0) }
            return count > 0
          }
        }
      ),
      ("an exchange", { pool in pool.exchange(0) > 0 }),
    ]
    let waits: [(String, @Sendable (LockProtector<Int, Lock>) -> Void)] = [
      ("a wait", { pool in pool.withWriteLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }),
      (
        "a timed wait",
        { pool in
          while timesOut({
            try pool.withWriteLock(waitingUntil: { $0 > 0 }, timeout: .seconds(1000)) { $0 -= 1 }
          }) {}
        }
      ),
    ]
    return waits.flatMap { waitName, wait in
      takes.map { takeName, take in
        let pool = make()
        return Pool(
          testDescription: "\(name), \(waitName) beside \(takeName)", wait: { wait(pool) },
          give: { pool.withWriteLock { $0 += 1 } }, take: { take(pool) }, isWaited: { isWaited(pool) })
      }
    }
  }

  private static var exclusive: Pool {
    let pool = ExclusiveProtector(0)
    return Pool(
      testDescription: "ExclusiveProtector", wait: { pool.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } },
      give: { pool.withLock { $0 += 1 } },
      take: { !timesOut { try pool.withLock(waitingUntil: { $0 > 0 }, timeout: .zero) { $0 -= 1 } } },
      isWaited: { isWaited(pool) })
  }

  private static let all: [Pool] =
    pools("Protector") { Protector(0) }
    + pools("LockProtector") { LockProtector(0, lock: CompactReadWriteLock()) }
    + pools("spinning LockProtector") { LockProtector(0, lock: SpinReadWriteLock()) }
    + (UnfairLock.isReservable ? [exclusive] : [])

  /// A busy thread gives an element back, which wakes the waiting thread, and takes it again before that thread runs.
  @Test(arguments: all) private func aThreadIsOvertakenSixtyFourTimes(pool: Pool) {
    let hasElement = RelaxedFlag()
    let overtakings = RelaxedCounter()
    concurrently(
      {
        pool.wait()
        hasElement.set()
      },
      {
        while !hasElement.isSet, overtakings.value <= 64 {
          // Either the thread sleeps again, because it was overtaken, or it has the element.
          guard pool.isWaited() else {
            PlatformThread.yield()
            continue
          }
          pool.give()
          if pool.take() { overtakings.add(1) }
        }
        // The thread has not been served by now, if it is overtaken too often.
        if !hasElement.isSet { pool.give() }
      })
    #expect(overtakings.value <= 64)
  }

  /// A call that may not wait fails while the lock is reserved, and goes on to fail until the served thread has run.
  @Test func aReservedProtectorIsNotAvailable() {
    let number = Protector(0)
    let waiter = UnsafeMutablePointer<Waiter>.allocate(capacity: 1)
    waiter.initialize(
      to: Waiter(
        .thread, isCancellable: false, primitive: Primitive(.predicate),
        // The predicate ignores its own address, so any will do.
        predicate: UnsafeRawPointer(waiter)
      ) { value, _ in value.load(as: Int.self) > 0 })
    number.withWriteLock { _ in unsafe number.waiters.append(waiter, reserving: number.ownLock.reservable()) }
    // As a thread that slept, it is watched from the beginning.
    waiter.pointee.word.state.setBitsRelaxed(1)
    var overtakings = 0
    while number.withWriteLockIfAvailable({ $0 = 1 }) != nil,
      number.withWriteLockIfAvailable({ $0 = 0 }) != nil,
      overtakings <= 64
    {
      overtakings += 1
    }
    #expect(overtakings == 64)
    #expect(number.withWriteLockIfAvailable { $0 = 0 } == nil)
    #expect(timesOut { try number.withWriteLock(timeout: .milliseconds(1)) { $0 = 0 } })
    #expect(number.withReadLockIfAvailable { $0 } == nil)
    // The served thread arrives: it acquires the lock, and ends its section as any other.
    let isIn = number.ownLock.beginServedAccess(until: .never, for: .protector)
    #expect(isIn)
    #expect(unsafe number.data == 1)
    unsafe number.waiters.endWait(waiter)
    number.endWriting()
    #expect(number.withWriteLockIfAvailable { $0 } == 1)
    waiter.deinitialize(count: 1)
    waiter.deallocate()
  }
}
