// What a person would write from memory or from an older interface, with what to write instead.

extension GuardedValue where Value: ~Copyable, Lock: ~Copyable {
  /// Not available: a protector has no calls that begin or end a section.
  @available(
    *, unavailable, message: "pass the critical section as a closure: withLock { … } or withWriteLock { … }"
  )
  @_alwaysEmitIntoClient
  public func lock() {}

  /// Not available: a section ends with its closure.
  @available(*, unavailable, message: "a section ends with the closure of withLock or withWriteLock")
  @_alwaysEmitIntoClient
  public func unlock() {}
}

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// Not available, in any form: a protector with a read/write lock has two kinds of sections.
  @available(*, unavailable, message: "use withWriteLock to change the value, and withReadLock to read it")
  @_alwaysEmitIntoClient
  public func withLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool = { _ in true }, timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withWriteLock(body)
  }
}

extension ExclusiveProtector where Value: ~Copyable {
  /// Not available, in any form: an exclusive protector has one kind of section.
  @available(*, unavailable, renamed: "withLock", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public func withReadLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool = { _ in true }, timeout: Duration? = nil,
    _ body: (borrowing Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock { value throws(E) in try body(value) }
  }

  /// Not available, in any form: an exclusive protector has one kind of section.
  @available(*, unavailable, renamed: "withLock", message: "each section excludes all other threads")
  @_alwaysEmitIntoClient
  public func withWriteLock<R: ~Copyable, E: Error>(
    waitingUntil predicate: @Sendable (borrowing Value) -> Bool = { _ in true }, timeout: Duration? = nil,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try withLock(body)
  }
}
