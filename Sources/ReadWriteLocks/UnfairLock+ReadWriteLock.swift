public import PlatformLocks
public import UnfairLocks

// Protectors call these functions, so their traps name `ExclusiveProtector`.

/// The unfair lock as a read/write lock whose reads are exclusive too: what a value needs that two readers may not
/// use at once. Fairness, traps and deadlocks are those of `UnfairLock`.
extension UnfairLock: TimedReadWriteLock {
  /// The promise that `ReadWriteLock` asks for.
  @unsafe public static func unsafePromiseOfExclusion() {
    // Kept by invariant 1 of `UnfairLockCore`; on Darwin by `os_unfair_lock`.
  }

  /// The same as `withLock(_:)`: readers exclude one another.
  @inlinable
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: .exclusiveProtector)
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }

  /// The same as `withLock(_:)`.
  @inlinable
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: .exclusiveProtector)
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }

  /// The same as `withLock(timeout:_:)`: readers exclude one another.
  @inlinable
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: "ExclusiveProtector")
    guard beginAccess(timeout: timeout, for: .exclusiveProtector) else { return nil }
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }

  /// The same as `withLock(timeout:_:)`.
  @inlinable
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: "ExclusiveProtector")
    guard beginAccess(timeout: timeout, for: .exclusiveProtector) else { return nil }
    defer { endAccess(for: .exclusiveProtector) }
    return try body()
  }
}
