// What a person would write from memory or from an older interface, with what to write instead.

extension RawLock where Self: ~Copyable {
  /// Not available: sections are closures.
  @available(*, unavailable, message: "pass the section as a closure: withLock { … }")
  @_alwaysEmitIntoClient
  public borrowing func lock() {}

  /// Not available: sections are closures.
  @available(*, unavailable, message: "pass the section as a closure: withLock { … }")
  @_alwaysEmitIntoClient
  public borrowing func unlock() {}
}

extension UnfairLock {
  /// Not available: the lock has one kind of section.
  @available(*, unavailable, renamed: "withLock(_:)", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }

  /// Not available: the lock has one kind of section.
  @available(*, unavailable, renamed: "withLock(_:)", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }
}
