public import ReadWriteLocks

// Check, then act, as one step.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for it to hold.
  ///
  /// The check and the change are one step: nobody writes in between. The form for values that are not `Sendable`:
  /// the check is made in the write section alone.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` is to run; evaluated under the lock. It may capture only what is `Sendable`, so
  ///     that no part of the value leaves through it.
  ///   - body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the predicate does not hold.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of the lock, plus one load.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    when predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(ifNow: predicate, body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for it to hold.
  ///
  /// The check and the change are one step: nobody writes in between. The predicate is evaluated under the read lock
  /// first, so that threads which find nothing to do don't exclude one another, and again under the write lock if it
  /// held:
  ///
  /// ```swift
  /// let wasStale = cache.withWriteLock(when: { $0.isStale }) { $0.refresh() }
  /// ```
  ///
  /// It waits while another thread is in a section that excludes its own, and traps inside a write section of the same
  /// protector.
  ///
  /// - Parameters:
  ///   - predicate: Whether `body` is to run; evaluated under the lock, up to twice, on this thread.
  ///   - body: What to do with the value.
  /// - Returns: What `body` returns; `nil` when the predicate does not hold.
  /// - Throws: What `body` throws; changes that it made before stay.
  /// - Complexity: That of a read section when the predicate does not hold, otherwise that of a read and a write
  ///   section.
  @inlinable
  public func withWriteLock<R: ~Copyable, E: Error>(
    when predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let mayRun = lock.withReadLock { unsafe predicate(value) }
    return mayRun ? try withWriteLock(ifNow: predicate, body) : nil
  }
}
