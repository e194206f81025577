import InterlockCore
import TestSupport
import Testing
import UnfairLocks

@testable import ReadWriteLocks

/// Tests the locks that can be reserved for one thread; two tests use the same locks.
@Suite(.serialized) struct ReservedLockTests {
  /// A lock of any type, as functions.
  private struct Tested: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reserve: @Sendable () -> Void
    let tryWriting: @Sendable () -> Bool
    let tryReading: @Sendable () -> Bool
    let timedWrite: @Sendable () -> Bool
    let write: @Sendable (@Sendable () -> Void) -> Void
    let read: @Sendable (@Sendable () -> Void) -> Void
    let served: @Sendable (Deadline, @Sendable () -> Void) -> Bool

    init(_ make: () -> UnfairLock) {
      let box = Box(make())
      self.init(
        box, read: { body in box.lock.withLock { body() } },
        tryReading: { box.lock.withLockIfAvailable {} != nil })
    }

    init<Lock: RawReadWriteLock & ~Copyable>(reading make: () -> Lock) {
      let box = Box(make())
      self.init(
        box, read: { body in box.lock.withReadLock { body() } },
        tryReading: { box.lock.withReadLockIfAvailable {} != nil })
    }

    private init<Lock: RawLock & ~Copyable>(
      _ box: Box<Lock>, read: @escaping @Sendable (@Sendable () -> Void) -> Void,
      tryReading: @escaping @Sendable () -> Bool
    ) {
      testDescription = Lock.kind.name.text
      reserve = { box.lock.reservable()!.reserve() }
      tryWriting = {
        guard box.lock.tryAccess(until: .passed, for: Lock.kind) else { return false }
        box.lock.finishAccess(for: Lock.kind) {}
        return true
      }
      timedWrite = {
        let hasTimedOut = timesOut { try box.lock.beginAccess(timeout: .milliseconds(2)) }
        if !hasTimedOut { box.lock.finishAccess(for: Lock.kind) {} }
        return !hasTimedOut
      }
      write = { body in
        box.lock.beginAccess(for: Lock.kind)
        box.lock.finishAccess(for: Lock.kind) { body() }
      }
      self.read = read
      self.tryReading = tryReading
      served = { deadline, body in
        guard box.lock.beginServedAccess(until: deadline, for: Lock.kind) else { return false }
        box.lock.finishAccess(for: Lock.kind) { body() }
        return true
      }
    }
  }

  private final class Box<Lock: RawLock & ~Copyable>: Sendable {
    let lock: Lock
    init(_ lock: consuming Lock) { self.lock = lock }
  }

  private static let all =
    (UnfairLock.isReservable ? [Tested { UnfairLock() }] : []) + [
      Tested(reading: { CompactReadWriteLock() }), Tested(reading: { SpinReadWriteLock() }),
      Tested(reading: { BiasedReadWriteLock() }),
    ]

  @Test(arguments: all) private func aReservedLockIsHeldToAllButOne(lock: Tested) {
    let isServed = RelaxedFlag()
    let tooEarly = RelaxedCounter()
    lock.write { lock.reserve() }
    race(threads: 5) { index in
      guard index == 4 else {
        return (index % 2 == 0 ? lock.write : lock.read) { if !isServed.isSet { tooEarly.add(1) } }
      }
      #expect(!lock.tryWriting())
      #expect(!lock.tryReading())
      #expect(!lock.timedWrite())
      #expect(lock.served(.never) { isServed.set() })
    }
    #expect(tooEarly.value == 0)
    #expect(lock.tryWriting())
    #expect(lock.tryReading())
  }

  /// The served thread may sleep among others, all of which the release must wake then.
  @Test(arguments: all) private func theServedThreadIsNextAmongSleepingOnes(lock: Tested) {
    for _ in 0..<20 {
      let isServed = RelaxedFlag()
      let isHeld = RelaxedFlag()
      let tooEarly = RelaxedCounter()
      let begun = RelaxedCounter()
      race(threads: 6) { index in
        if index == 5 {
          lock.write {
            isHeld.set()
            while begun.value < 5 { PlatformThread.yield() }
            // By then the threads probably sleep, but the test does not depend on that.
            MonotonicClock.sleep(.milliseconds(1))
            lock.reserve()
          }
          return
        }
        while !isHeld.isSet { PlatformThread.yield() }
        begun.add(1)
        if index == 3 {
          _ = lock.served(.never) { isServed.set() }
        } else {
          (index % 2 == 0 ? lock.write : lock.read) { if !isServed.isSet { tooEarly.add(1) } }
        }
      }
      #expect(tooEarly.value == 0)
    }
  }

  /// Locks that have no bit for a reservation, or whose word is not known, are acquired as by any other thread.
  @Test func otherLocksCantBeReserved() {
    let lock = PosixReadWriteLock()
    let isReservable = lock.reservable() != nil
    #expect(!isReservable)
    let isLocked = lock.beginServedAccess(until: .passed, for: PosixReadWriteLock.kind)
    #expect(isLocked)
    lock.endAccess(for: PosixReadWriteLock.kind)
  }
}
