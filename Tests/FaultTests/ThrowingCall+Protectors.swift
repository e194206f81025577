import Protectors
import LocksUnderTest
import ReadWriteLocks
import TestSupport

extension ThrowingCall {
  static let protectors: [ThrowingCall] =
    ProtectorUnderTest.allCases.flatMap(sections) + ProtectorUnderTest.waiting.flatMap(waits)
    + exclusiveSections
    + timedSections("BiasedReadWriteLock") { BiasedReadWriteLock() }
    + timedSections("CompactReadWriteLock") { CompactReadWriteLock() }
    + timedSections("SpinReadWriteLock") { SpinReadWriteLock() }
    + timedSections("PosixReadWriteLock") { PosixReadWriteLock() }
    + replacingSections("DispatchReadWriteLock") { DispatchReadWriteLock() }
    + notSendable

  /// The protected value.
  private struct Value: Sendable {
    var changes = 0
    var isReady = false
    var tracked: Tracked

    init(_ lifetimes: Lifetimes) {
      tracked = Tracked(lifetimes)
    }

    /// Changes this value, then throws the error of `fault`; the changes stay.
    mutating func change(_ fault: Fault) throws(Failure) -> Never {
      changes += 1
      tracked = Tracked(fault.lifetimes)
      try fault.strike()
    }
  }

  // MARK: What all protectors have

  /// Describes a call of the protector's function `name`, with a closure that makes `changes` changes and
  /// then throws.
  private static func call(
    _ name: String, of candidate: ProtectorUnderTest, changes: Int,
    _ fail: @escaping @Sendable (any ProtectedValue<Value>, Fault) throws(Failure) -> Void
  ) -> ThrowingCall {
    ThrowingCall("LockProtector<\(candidate)>.\(name)", on: { candidate.protect(Value($0)) }, fail) {
      protector in
      protector.withReadLock { $0.changes == changes } && protector.withWriteLock { $0.changes == changes }
    }
  }

  /// Describes a call as `call` does, of a protector with waits.
  private static func wait(
    _ name: String, of candidate: ProtectorUnderTest, changes: Int,
    _ fail: @escaping @Sendable (any WaitableValue<Value>, Fault) throws(Failure) -> Void
  ) -> ThrowingCall {
    ThrowingCall("LockProtector<\(candidate)>.\(name)", on: { candidate.protectForWaits(Value($0)) }, fail) {
      protector in
      protector.withReadLock { $0.changes == changes } && protector.withWriteLock { $0.changes == changes }
    }
  }

  private static func sections(of candidate: ProtectorUnderTest) -> [ThrowingCall] {
    [
      call("withReadLock", of: candidate, changes: 0) { (protector, fault) throws(Failure) in
        _ = try protector.withReadLock { (_) throws(Failure) -> TrackedToken in try fault.strike() }
      },
      call("withWriteLock", of: candidate, changes: 1) { (protector, fault) throws(Failure) in
        _ = try protector.withWriteLock { (value) throws(Failure) -> TrackedToken in try value.change(fault) }
      },
    ]
  }

  /// Describes waits whose predicate holds immediately, and waits that queue until the predicate holds.
  private static func waits(of candidate: ProtectorUnderTest) -> [ThrowingCall] {
    [nil, Duration.seconds(1000)].flatMap { timeout in
      let name = timeout == nil ? "(waitingUntil:)" : "(waitingUntil:timeout:)"
      return [
        wait("withReadLock\(name)", of: candidate, changes: 0) { (protector, fault) throws(Failure) in
          _ = try protector.withReadLock(waitingUntil: { !$0.isReady }, timeout: timeout) {
            (_) throws(Failure) -> TrackedToken in try fault.strike()
          }
        },
        wait("withReadLock\(name), queued", of: candidate, changes: 0) { (protector, fault) throws(Failure) in
          let evaluations = candidate.evaluationsOfReader
          try afterQueueing(evaluations: evaluations, for: protector) { (isReady) throws(Failure) in
            _ = try protector.withReadLock(waitingUntil: isReady, timeout: timeout) {
              (_) throws(Failure) -> TrackedToken in try fault.strike()
            }
          }
        },
        wait("withWriteLock\(name)", of: candidate, changes: 1) { (protector, fault) throws(Failure) in
          _ = try protector.withWriteLock(waitingUntil: { !$0.isReady }, timeout: timeout) {
            (value) throws(Failure) -> TrackedToken in try value.change(fault)
          }
        },
        wait("withWriteLock\(name), queued", of: candidate, changes: 1) {
          (protector, fault) throws(Failure) in
          try afterQueueing(evaluations: 1, for: protector) { (isReady) throws(Failure) in
            _ = try protector.withWriteLock(waitingUntil: isReady, timeout: timeout) {
              (value) throws(Failure) -> TrackedToken in try value.change(fault)
            }
          }
        },
      ]
    }
  }

  /// Calls `body`, which waits until the given predicate holds.
  ///
  /// The predicate is false at first. Another thread makes it true after the waiting thread has queued.
  private static func afterQueueing(
    evaluations expected: Int, for protector: any ProtectedValue<Value>,
    _ body: (@escaping @Sendable (borrowing Value) -> Bool) throws(Failure) -> Void
  ) throws(Failure) {
    let evaluations = RelaxedCounter()
    let helper = PlatformThread {
      // The last evaluation is in the write section in which the thread queues. `withWriteLock` waits for the end of that section, so the thread is queued by then.
      while evaluations.value < expected { PlatformThread.yield() }
      protector.withWriteLock { $0.isReady = true }
    }
    let isReady: @Sendable (borrowing Value) -> Bool = { evaluations.counting($0.isReady) }
    do throws(Failure) {
      try body(isReady)
      helper.join()
    } catch {
      helper.join()
      throw error
    }
  }

  // MARK: What depends on the lock

  private static func call<Lock: ReadWriteLock & ~Copyable>(
    _ name: String, _ makeLock: @escaping @Sendable () -> Lock, changes: Int,
    _ fail: @escaping @Sendable (LockProtector<Value, Lock>, Fault) throws(Failure) -> Void
  ) -> ThrowingCall {
    ThrowingCall(name, on: { LockProtector(Value($0), lock: makeLock()) }, fail) { protector in
      protector.withReadLock { $0.changes == changes } && protector.withWriteLock { $0.changes == changes }
    }
  }

  private static func replacingSections<Lock: ReadWriteLock & ~Copyable>(
    _ lock: String, _ makeLock: @escaping @Sendable () -> Lock
  ) -> [ThrowingCall] {
    [
      call("LockProtector<\(lock)>.exchange(with:)", makeLock, changes: 1) {
        (protector, fault) throws(Failure) in
        try protector.exchange { (value) throws(Failure) in try value.change(fault) }
      }
    ]
  }

  private static func timedSections<Lock: RawReadWriteLock & ~Copyable>(
    _ lock: String, _ makeLock: @escaping @Sendable () -> Lock
  ) -> [ThrowingCall] {
    let prefix = "LockProtector<\(lock)>."
    return replacingSections(lock, makeLock) + [
      call(prefix + "withReadLock(timeout:)", makeLock, changes: 0) { (protector, fault) throws(Failure) in
        _ = try throwingFailure {
          try protector.withReadLock(timeout: .seconds(1000)) { (_) throws(Failure) -> TrackedToken in
            try fault.strike()
          }
        }
      },
      call(prefix + "withWriteLock(timeout:)", makeLock, changes: 1) { (protector, fault) throws(Failure) in
        _ = try throwingFailure {
          try protector.withWriteLock(timeout: .seconds(1000)) { (value) throws(Failure) -> TrackedToken in
            try value.change(fault)
          }
        }
      },
      call(prefix + "withReadLockIfAvailable", makeLock, changes: 0) { (protector, fault) throws(Failure) in
        _ = try protector.withReadLockIfAvailable { (_) throws(Failure) -> TrackedToken in try fault.strike()
        }
      },
      call(prefix + "withWriteLockIfAvailable", makeLock, changes: 1) { (protector, fault) throws(Failure) in
        _ = try protector.withWriteLockIfAvailable { (value) throws(Failure) -> TrackedToken in
          try value.change(fault)
        }
      },
    ]
  }

  private static let exclusiveSections: [ThrowingCall] = {
    func call(
      _ name: String, _ fail: @escaping @Sendable (ExclusiveProtector<Value>, Fault) throws(Failure) -> Void
    ) -> ThrowingCall {
      ThrowingCall("ExclusiveProtector.\(name)", on: { ExclusiveProtector(Value($0)) }, fail) { protector in
        protector.withLock { $0.changes == 1 }
      }
    }
    return [
      call("exchange(with:)") { (protector, fault) throws(Failure) in
        try protector.exchange { (value) throws(Failure) in try value.change(fault) }
      },
      call("withLock(sending:)") { (protector, fault) throws(Failure) in
        _ = try protector.withLock(sending: 1) { (value, _) throws(Failure) -> TrackedToken in
          try value.change(fault)
        }
      },
      call("withLock(waitingUntil:sending:)") { (protector, fault) throws(Failure) in
        _ = try protector.withLock(waitingUntil: { !$0.isReady }, sending: 1) {
          (value, _) throws(Failure) -> TrackedToken in
          try value.change(fault)
        }
      },
      call("withLock(timeout:)") { (protector, fault) throws(Failure) in
        _ = try throwingFailure {
          try protector.withLock(timeout: .seconds(1000)) { (value) throws(Failure) -> TrackedToken in
            try value.change(fault)
          }
        }
      },
      call("withLockIfAvailable") { (protector, fault) throws(Failure) in
        _ = try protector.withLockIfAvailable { (value) throws(Failure) -> TrackedToken in
          try value.change(fault)
        }
      },
    ]
  }()

  // MARK: Values that are not Sendable, or not copyable

  private final class NotSendable {
    var changes = 0
    let token: TrackedToken

    init(_ lifetimes: Lifetimes) {
      token = TrackedToken(lifetimes)
    }
  }

  private static let notSendable: [ThrowingCall] = [
    ThrowingCall(
      "ExclusiveProtector of an object, withLock(timeout:)", on: { ExclusiveProtector(NotSendable($0)) }
    ) { (protector, fault) throws(Failure) in
      _ = try throwingFailure {
        try protector.withLock(timeout: .zero) { (object) throws(Failure) -> TrackedToken in
          object.changes += 1
          try fault.strike()
        }
      }
    } then: { protector in
      protector.withLock { $0.changes == 1 }
    },
    ThrowingCall(
      "ExclusiveProtector of a noncopyable value, exchange(with:)",
      on: { ExclusiveProtector(TrackedToken($0, number: 7)) }
    ) { (protector, fault) throws(Failure) in
      _ = try protector.exchange { (_) throws(Failure) -> TrackedToken in try fault.strike() }
    } then: { protector in
      protector.withLock { $0.number == 7 }
    },
  ]
}
