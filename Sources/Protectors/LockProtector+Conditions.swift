public import ReadWriteLocks

// Functions that check a predicate and act on the result in one atomic step.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for the predicate to hold.
  ///
  /// The check and the change are one atomic step: no other thread writes in between. For values that are not
  /// `Sendable`, the predicate is evaluated only in the write section.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated under the lock. Its captures must be `Sendable`,
  ///     so that no part of the value escapes through them.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    when predicate: @Sendable (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLock(ifNow: predicate, body)
  }
}

extension LockProtector where Value: Sendable & ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for the predicate to hold.
  ///
  /// The check and the change are one atomic step: no other thread writes in between. The predicate is first
  /// evaluated under the read lock, so threads that find it false don't exclude one another. If it holds, it
  /// is evaluated again under the write lock:
  ///
  /// ```swift
  /// let wasStale = cache.withWriteLock(when: { $0.isStale }) { $0.refresh() }
  /// ```
  ///
  /// Blocks while other threads hold the lock. Traps inside a write section of the same protector.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated under the lock, up to twice, on this thread.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: One read section if the predicate does not hold, otherwise one read section and one write
  ///   section.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withWriteLock<R: ~Copyable, E: Error>(
    when predicate: (borrowing Value) -> Bool,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    let mayRun = lock.withReadLock { unsafe predicate(value) }
    return mayRun ? try withWriteLock(ifNow: predicate, body) : nil
  }
}
