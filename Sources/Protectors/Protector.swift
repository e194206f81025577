public import LockSupport
public import ReadWriteLocks
public import UnfairLocks

/// A value behind a read/write lock: many readers together or one writer alone.
///
/// The lock is `BiasedReadWriteLock`. Its read sections cost little as long as writes are rare. The
/// documentation of `BiasedReadWriteLock` describes its fairness and the deadlocks that it permits. Where
/// memory matters more than the time of a read, use `LockProtector(value, lock: CompactReadWriteLock())`.
public typealias Protector<Value: ~Copyable> = LockProtector<Value, BiasedReadWriteLock>

/// A value behind a mutual-exclusion lock.
///
/// Use it for values that are not `Sendable`, and for sections so short that concurrent readers would gain
/// nothing. Access the value with `withLock`. The functions `withReadLock` and `withWriteLock` are for code
/// that is generic over locks; here each of them excludes all other threads.
public typealias ExclusiveProtector<Value: ~Copyable> = LockProtector<Value, UnfairLock>

extension LockProtector where Value: ~Copyable, Lock == BiasedReadWriteLock {
  /// Makes a protector with a value and a new lock.
  ///
  /// - Parameters:
  ///   - value: The value. No other code may keep a reference into it, which the compiler checks in Swift 6
  ///     mode.
  ///   - label: The protector's name in deadlock reports. Without the package trait `DeadlockDetection` it
  ///     costs nothing.
  ///   - file: The source file that makes the protector, for deadlock reports.
  ///   - line: The source line that makes the protector, for deadlock reports.
  @_alwaysEmitIntoClient
  public convenience init(
    _ value: consuming sending Value, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      value, lock: BiasedReadWriteLock(bias: .adaptive, Primitive(.protector, label, file, line)),
      Primitive(.predicate, label, file, line))
  }
}

extension LockProtector where Value: ~Copyable, Lock == UnfairLock {
  /// Makes a protector with a value and a new lock.
  ///
  /// - Parameters:
  ///   - value: The value. No other code may keep a reference into it, which the compiler checks in Swift 6
  ///     mode.
  ///   - label: The protector's name in deadlock reports. Without the package trait `DeadlockDetection` it
  ///     costs nothing.
  ///   - file: The source file that makes the protector, for deadlock reports.
  ///   - line: The source line that makes the protector, for deadlock reports.
  @_alwaysEmitIntoClient
  public convenience init(
    _ value: consuming sending Value, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      value, lock: UnfairLock(Primitive(.exclusiveProtector, label, file, line)),
      Primitive(.predicate, label, file, line))
  }
}
