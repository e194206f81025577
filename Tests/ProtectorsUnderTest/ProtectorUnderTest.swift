internal import ReadWriteLocks
internal import UnfairLocks

/// A type of lock with which the tests and the stress tests make protectors.
package enum ProtectorUnderTest: String, CaseIterable, Sendable, CustomStringConvertible {
  case unfair = "UnfairLock"
  case biased = "BiasedReadWriteLock"
  case compact = "CompactReadWriteLock"
  /// A `CompactReadWriteLock` used as a `ReadWriteLock`, so that the protector calls none of its timed
  /// functions.
  case compactUntimed = "CompactReadWriteLock without its timed forms"
  case spin = "SpinReadWriteLock"
  case posix = "PosixReadWriteLock"
  case dispatch = "DispatchReadWriteLock"

  /// The cases whose protectors use the timed functions of their locks.
  package static let timed = allCases.filter { $0 != .dispatch && $0 != .compactUntimed }

  package var description: String { rawValue }

  /// Makes a protector with `value` and a new lock.
  package func protect<Value: Sendable>(_ value: Value) -> any ProtectedValue<Value> {
    switch self {
    case .unfair: ValueBehindTimedLock(value, lock: UnfairLock())
    case .biased: ValueBehindTimedLock(value, lock: BiasedReadWriteLock())
    case .compact: ValueBehindTimedLock(value, lock: CompactReadWriteLock())
    case .compactUntimed: ValueBehindLock(value, lock: CompactReadWriteLock())
    case .spin: ValueBehindTimedLock(value, lock: SpinReadWriteLock())
    case .posix: ValueBehindTimedLock(value, lock: PosixReadWriteLock())
    case .dispatch: ValueBehindLock(value, lock: DispatchReadWriteLock())
    }
  }
}
