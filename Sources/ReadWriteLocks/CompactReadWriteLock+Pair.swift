public import InterlockCore

extension CompactReadWriteLock {
  /// Acquires the lock for reading, for an abstraction that can't use a closure.
  ///
  /// Prefer `withReadLock(_:)`. With this pair of functions the compiler no longer sees that each path
  /// releases the lock, and it does not refuse an `await` or a second acquisition in between. A section that
  /// never ends blocks all later writers.
  ///
  /// Blocks while a writer holds the lock or waits for it. Traps when the calling thread is the writer.
  /// Inside a read section of the same thread it deadlocks if a writer waits.
  ///
  /// - Important: The caller must call `unsafeReadUnlock()` once, on every path, and on the same thread.
  /// - Complexity: O(1) without contention: a load and one atomic read-modify-write.
  @available(*, noasync, message: "the thread sleeps, and so keeps others from running; use withReadLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeReadLock() {
    beginReading(for: .compact)
  }

  /// Releases the lock that `unsafeReadLock()` has acquired.
  ///
  /// Traps when no thread reads. The lock counts its readers and does not know them. So a surplus call, while
  /// other threads read, ends the section of another reader: a writer can then run beside that reader.
  ///
  /// - Complexity: O(1) without waiting threads: a load and one atomic read-modify-write.
  @available(*, noasync, message: "the thread sleeps, and so keeps others from running; use withReadLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeReadUnlock() {
    if _slowPath(!core.isReadLocked) { probe.primitive(.compact).trapNotReadLocked() }
    endReading((), for: .compact)
  }

  /// Acquires the lock for writing, for an abstraction that can't use a closure.
  ///
  /// Prefer `withWriteLock(_:)`, for the reasons that `unsafeReadLock()` gives.
  ///
  /// Blocks while another thread holds the lock. Traps when the calling thread holds it for writing, and
  /// deadlocks when that thread holds it for reading.
  ///
  /// - Important: The same thread must call `unsafeWriteUnlock()`, once, on every path.
  /// - Complexity: O(1) without contention: one atomic read-modify-write.
  @available(*, noasync, message: "the thread that unlocks must be the one that locked; use withWriteLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeWriteLock() {
    beginAccess(for: .compact)
  }

  /// Releases the lock that `unsafeWriteLock()` has acquired.
  ///
  /// Traps when the calling thread does not hold the lock for writing.
  ///
  /// - Complexity: O(1) without waiting threads: a load and one atomic read-modify-write.
  @available(*, noasync, message: "the thread that unlocks must be the one that locked; use withWriteLock")
  @unsafe
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func unsafeWriteUnlock() {
    if _slowPath(!core.isHeldForWritingByCurrentThread) { probe.primitive(.compact).trapNotWriter() }
    endAccess(for: .compact)
  }
}
