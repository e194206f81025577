public import InterlockCore
public import ReadWriteLocks

/// A value behind a read/write lock: many readers together or one writer alone.
///
/// The lock is `BiasedReadWriteLock`. Its read sections cost little as long as writes are rare. The
/// documentation of `BiasedReadWriteLock` describes its fairness and the deadlocks that it permits. Where
/// memory matters more than the time of a read, use `LockProtector(value, lock: CompactReadWriteLock())`.
public typealias Protector<Value: ~Copyable> = LockProtector<Value, BiasedReadWriteLock>

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
      value,
      lock: BiasedReadWriteLock(bias: .adaptive, Primitive(.protector, label, file, line)),
      Primitive(.predicate, label, file, line))
  }
}
