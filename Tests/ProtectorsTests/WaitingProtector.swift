import Protectors
import ReadWriteLocks
import Testing
import UnfairLocks

/// A protector whose predicates can be waited for, whichever lock it has.
protocol WaitingValue<Value>: Sendable {
  associatedtype Value: Sendable

  func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R

  func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R

  func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R?

  func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R?
}

/// A protector of one lock.
private struct ValueBehindLock<Value: Sendable, Lock: ReadWriteLock & ~Copyable>: WaitingValue {
  private let protector: LockProtector<Value, Lock>

  init(_ value: Value, lock: consuming Lock) {
    protector = LockProtector(value, lock: lock)
  }

  func withWriteLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withWriteLock(body)
  }

  func withReadLock<R: ~Copyable, E: Error>(
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try protector.withReadLock(body)
  }

  func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try protector.withWriteLock(waitingUntil: predicate, timeout: timeout, body)
  }

  func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool, timeout: Duration?,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try protector.withReadLock(waitingUntil: predicate, timeout: timeout, body)
  }
}

/// The lock of the protectors that the tests of waiting are run against.
enum WaitingProtector: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case unfair = "UnfairLock"
  case compact = "CompactReadWriteLock"
  case spin = "SpinReadWriteLock"
  case posix = "PosixReadWriteLock"
  case dispatch = "DispatchReadWriteLock"

  var testDescription: String { rawValue }

  /// Puts `value` behind a lock of its own.
  func protect<Value: Sendable>(_ value: Value) -> any WaitingValue<Value> {
    switch self {
    case .unfair: ValueBehindLock(value, lock: UnfairLock())
    case .compact: ValueBehindLock(value, lock: CompactReadWriteLock())
    case .spin: ValueBehindLock(value, lock: SpinReadWriteLock())
    case .posix: ValueBehindLock(value, lock: PosixReadWriteLock())
    case .dispatch: ValueBehindLock(value, lock: DispatchReadWriteLock())
    }
  }
}
