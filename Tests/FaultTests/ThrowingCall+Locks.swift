import LocksUnderTest
import ReadWriteLocks
import TestSupport
import UnfairLocks

extension ThrowingCall {
  private final class Lock: Sendable {
    let lock = UnfairLock()
  }

  static let unfairLock: [ThrowingCall] = {
    func call(_ name: String, _ fail: @escaping @Sendable (Lock, Fault) throws(Failure) -> Void)
      -> ThrowingCall
    {
      ThrowingCall("UnfairLock.\(name)", on: { _ in Lock() }, fail) { subject in
        subject.lock.withLock { true }
      }
    }
    return [
      call("withLock") { (subject, fault) throws(Failure) in
        _ = try subject.lock.withLock { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withLockIfAvailable") { (subject, fault) throws(Failure) in
        _ = try subject.lock.withLockIfAvailable { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withLock(timeout:)") { (subject, fault) throws(Failure) in
        _ = try throwingFailure {
          try subject.lock.withLock(timeout: .seconds(1000)) { () throws(Failure) -> TrackedToken in
            try fault.strike()
          }
        }
      },
    ]
  }()

  static let readWriteLocks: [ThrowingCall] =
    LockUnderTest.all.flatMap { candidate in sections(of: candidate) }
    + TimedLockUnderTest.all.flatMap { candidate in timedSections(of: candidate) }

  private static func sections(of candidate: LockUnderTest) -> [ThrowingCall] {
    func call(
      _ name: String, _ fail: @escaping @Sendable (any ReadWriteLock, Fault) throws(Failure) -> Void
    ) -> ThrowingCall {
      ThrowingCall("\(candidate).\(name)", on: { _ in candidate.make() }, fail) { lock in
        lock.withReadLock { true } && lock.withWriteLock { true }
      }
    }
    return [
      call("withReadLock") { (lock, fault) throws(Failure) in
        _ = try lock.withReadLock { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withWriteLock") { (lock, fault) throws(Failure) in
        _ = try lock.withWriteLock { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withReadLock, below the read sections of twelve others") { (lock, fault) throws(Failure) in
        try inReadSections(of: 12) { () throws(Failure) in
          _ = try lock.withReadLock { () throws(Failure) -> TrackedToken in try fault.strike() }
        }
      },
    ]
  }

  /// Runs `body` inside nested read sections of `count` biased locks.
  ///
  /// With more than eight locks, the thread's `ThreadRecord` has no room to list all of them.
  static func inReadSections(of count: Int, _ body: () throws(Failure) -> Void) throws(Failure) {
    if count == 0 { return try body() }
    let lock = BiasedReadWriteLock(bias: .slots)
    try lock.withReadLock { () throws(Failure) in try inReadSections(of: count - 1, body) }
  }

  private static func timedSections(of candidate: TimedLockUnderTest) -> [ThrowingCall] {
    func call(
      _ name: String, _ fail: @escaping @Sendable (any RawReadWriteLock, Fault) throws(Failure) -> Void
    ) -> ThrowingCall {
      ThrowingCall("\(candidate).\(name)", on: { _ in candidate.make() }, fail) { lock in
        unlessTimedOut { try lock.withReadLock(timeout: .seconds(1000)) { 1 } } == 1
          && unlessTimedOut { try lock.withWriteLock(timeout: .seconds(1000)) { 1 } } == 1
      }
    }
    return [
      call("withReadLock(timeout:)") { (lock, fault) throws(Failure) in
        _ = try throwingFailure {
          try lock.withReadLock(timeout: .seconds(1000)) { () throws(Failure) -> TrackedToken in
            try fault.strike()
          }
        }
      },
      call("withWriteLock(timeout:)") { (lock, fault) throws(Failure) in
        _ = try throwingFailure {
          try lock.withWriteLock(timeout: .seconds(1000)) { () throws(Failure) -> TrackedToken in
            try fault.strike()
          }
        }
      },
      call("withReadLockIfAvailable") { (lock, fault) throws(Failure) in
        _ = try lock.withReadLockIfAvailable { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withWriteLockIfAvailable") { (lock, fault) throws(Failure) in
        _ = try lock.withWriteLockIfAvailable { () throws(Failure) -> TrackedToken in try fault.strike() }
      },
    ]
  }
}
