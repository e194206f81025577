// What a person would write from memory or from an older interface, with what to write instead.

extension RawReadWriteLock where Self: ~Copyable {
  /// Not available: sections are closures.
  @available(
    *, unavailable, message: "pass the section as a closure: withReadLock { … } or withWriteLock { … }"
  )
  @_alwaysEmitIntoClient
  public borrowing func lock() {}

  /// Not available: sections are closures.
  @available(
    *, unavailable, message: "pass the section as a closure: withReadLock { … } or withWriteLock { … }"
  )
  @_alwaysEmitIntoClient
  public borrowing func unlock() {}

  /// Not available, in any form: a read/write lock has two kinds of sections.
  @available(
    *, unavailable, message: "use withWriteLock to exclude all other threads, and withReadLock to read"
  )
  @_alwaysEmitIntoClient
  public borrowing func withLock<R: ~Copyable, E: Error>(
    timeout: Duration = .zero, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(body)
  }

  /// Not available: a read/write lock has two kinds of sections.
  @available(*, unavailable, message: "use withWriteLockIfAvailable or withReadLockIfAvailable")
  @_alwaysEmitIntoClient
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    try withWriteLockIfAvailable(body)
  }
}
