internal import ReadWriteLocks

/// A type of lock with which the tests and the stress tests make protectors.
package enum ProtectorUnderTest: String, CaseIterable, Sendable, CustomStringConvertible {
  case unfair = "UnfairLock"
  case biased = "BiasedReadWriteLock"
  case compact = "CompactReadWriteLock"
  case spin = "SpinReadWriteLock"
  case posix = "PosixReadWriteLock"
  case dispatch = "DispatchReadWriteLock"

  /// The cases whose locks can acquire and release, so that their protectors have timeouts and waits.
  package static let waiting = allCases.filter { $0 != .dispatch }

  package var description: String { rawValue }

  /// How often a reader evaluates its predicate until it is in the queue: with a read/write lock in a read
  /// section, and in the write section in which it queues.
  package var evaluationsOfReader: Int { self == .unfair ? 1 : 2 }

  /// Makes a protector with `value` and a new lock.
  package func protect<Value: Sendable>(_ value: Value) -> any ProtectedValue<Value> {
    self == .dispatch ? ValueBehindLock(value, lock: DispatchReadWriteLock()) : protectForWaits(value)
  }

  /// Makes a protector with `value` and a new lock; traps for a case that is not in `waiting`.
  package func protectForWaits<Value: Sendable>(_ value: Value) -> any WaitableValue<Value> {
    switch self {
    case .unfair: ValueBehindExclusiveLock(value)
    case .biased: ValueBehindLock(value, lock: BiasedReadWriteLock())
    case .compact: ValueBehindLock(value, lock: CompactReadWriteLock())
    case .spin: ValueBehindLock(value, lock: SpinReadWriteLock())
    case .posix: ValueBehindLock(value, lock: PosixReadWriteLock())
    case .dispatch: preconditionFailure("a lock of closures has no waits")
    }
  }
}
