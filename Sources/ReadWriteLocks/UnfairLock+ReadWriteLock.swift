public import DeadlockDetector
public import LockSupport
public import UnfairLocks

/// Lets `UnfairLock` serve as a read/write lock in which readers exclude one another too. It suits values
/// that two threads must not even read at the same time.
///
/// Fairness, traps and deadlocks are those of `UnfairLock`.
extension UnfairLock: TimedReadWriteLock {
  /// Promises that this type keeps the rules of `ReadWriteLock`; does nothing.
  @unsafe public static func unsafePromiseOfExclusion() {
    // One thread at a time holds the lock, by invariant 1 of `UnfairLockCore`, or on Darwin by
    // `os_unfair_lock`.
  }

  /// Equivalent to `withLock(_:)`: readers exclude one another.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }

  /// Equivalent to `withLock(_:)`.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }

  /// Equivalent to `withLock(timeout:_:)`: readers exclude one another.
  @_alwaysEmitIntoClient
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withLock(timeout: timeout, body)
  }

  /// Equivalent to `withLock(timeout:_:)`.
  @_alwaysEmitIntoClient
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withLock(timeout: timeout, body)
  }
}

// The functions below implement the requirements of `ReadWriteLock`, so generic code calls them. That code is
// nearly always `ExclusiveProtector`, so their traps name that type. Direct calls on an `UnfairLock` use
// `withReadLock` and `withWriteLock` instead. The underscores mark functions that clients must not call.

extension UnfairLock {
  // swift-format-ignore: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation
  @_disfavoredOverload
  @_implements(ReadWriteLock,withReadLock(_:))
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func _readInProtector<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: .exclusiveProtector)
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }

  // swift-format-ignore: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation
  @_disfavoredOverload
  @_implements(ReadWriteLock,withWriteLock(_:))
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func _writeInProtector<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: .exclusiveProtector)
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }

  // swift-format-ignore: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation
  @_disfavoredOverload
  @_implements(TimedReadWriteLock,withReadLock(timeout:_:))
  @_alwaysEmitIntoClient
  public borrowing func _readInProtector<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try _writeInProtector(timeout: timeout, body)
  }

  // swift-format-ignore: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation
  @_disfavoredOverload
  @_implements(TimedReadWriteLock,withWriteLock(timeout:_:))
  @_alwaysEmitIntoClient
  public borrowing func _writeInProtector<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: node.primitive(.exclusiveProtector))
    guard beginAccess(timeout: timeout, for: .exclusiveProtector) else { return nil }
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }
}
