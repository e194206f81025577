internal import ReadWriteLocks
internal import UnfairLocks

/// The lock of the protectors that the tests and the stress tests are run against.
package enum ProtectorUnderTest: String, CaseIterable, Sendable, CustomStringConvertible {
  case unfair = "UnfairLock"
  case biased = "BiasedReadWriteLock"
  case compact = "CompactReadWriteLock"
  /// In a generic function that knows of no timed forms, this is how a protector waits.
  case compactUntimed = "CompactReadWriteLock without its timed forms"
  case spin = "SpinReadWriteLock"
  case posix = "PosixReadWriteLock"
  case dispatch = "DispatchReadWriteLock"

  /// Those whose locks can be waited for with a limit.
  package static let timed = allCases.filter { $0 != .dispatch && $0 != .compactUntimed }

  package var description: String { rawValue }

  /// Puts `value` behind a lock of its own.
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
