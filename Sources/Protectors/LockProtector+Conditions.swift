public import ReadWriteLocks

// Functions that check a predicate and act on the result in one atomic step.

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Runs `body` in a write section if `predicate` holds; never waits for the predicate to hold.
  ///
  /// The check and the change are one atomic step: no other thread writes in between. For values that are not
  /// `Sendable`, the predicate is evaluated only in the write section.
  ///
  /// Blocks and traps as `withWriteLock(_:)` does.
  ///
  /// - Parameters:
  ///   - predicate: Decides whether `body` runs; evaluated under the lock. Its captures must be `Sendable`,
  ///     so that no part of the value escapes through them.
  ///   - body: Reads or changes the value.
  /// - Returns: The result of `body`; `nil` when the predicate does not hold.
  /// - Throws: The error of `body`. Changes that `body` has already made are kept.
  /// - Complexity: Same as the lock, plus one load to check whether threads wait.
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
  /// evaluated in a read section, so threads that find it false don't exclude one another. If it holds, a
  /// write section evaluates it again, and runs `body` if it still holds:
  ///
  /// ```swift
  /// let wasStale = cache.withWriteLock(when: { $0.isStale }) { $0.refresh() }
  /// ```
  ///
  /// The read section blocks as `withReadLock(_:)` does, and the write section as `withWriteLock(_:)` does. A
  /// call inside a write section of the same protector traps. Don't call it inside a read section either: it
  /// can trap or deadlock, as the lock's type documents.
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
