public import InterlockCore
@_exported public import UnfairLocks

/// A read/write lock as four functions, which acquire and release it; everything else is in extensions.
///
/// Conform a type to this protocol to make a read/write lock of your own that supports timeouts and waits for
/// predicates. The functions of `RawLock` are its write side. To use a lock, call `withReadLock(_:)` and
/// `withWriteLock(_:)`.
///
/// # Safety of a conformance
/// The rules of `RawLock` hold for the write side, which has a promise of its own. For the read side:
///
/// 1. **Exclusion**: from a call of `unsafeLockForReading` that returns a token until
///    `unsafeUnlockAfterReading`, no call of `unsafeLock` returns `true`.
/// 2. **Visibility, time, thread**: as in `RawLock`.
public protocol RawReadWriteLock: RawLock, ReadWriteLock, ~Copyable {
  /// What a reader keeps until it releases the lock; `Void` if it needs nothing.
  @_documentation(visibility: internal)
  associatedtype ReadToken

  /// Acquires the lock for reading; returns `nil` if it gives up.
  ///
  /// - Parameters:
  ///   - lock: The lock.
  ///   - deadline: The time at which the call gives up; see `RawLock.unsafeLock(_:until:for:)`.
  ///   - primitive: What a trap names: the lock, or the type that contains it.
  @unsafe static func unsafeLockForReading(
    _ lock: borrowing Self, until deadline: Deadline, for primitive: Primitive
  ) -> ReadToken?

  /// Releases the lock, which the calling thread holds for reading.
  ///
  /// - Parameters:
  ///   - lock: The lock.
  ///   - token: What `unsafeLockForReading` has returned to this thread.
  ///   - primitive: What a trap names: the lock, or the type that contains it.
  @unsafe static func unsafeUnlockAfterReading(
    _ lock: borrowing Self, _ token: consuming ReadToken, for primitive: Primitive)
}

// MARK: - The ends of a read section

extension RawReadWriteLock where Self: ~Copyable {
  /// Acquires the lock for reading; traps and reports name `kind`.
  ///
  /// The caller must release the lock with `endReading` on every path.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginReading(for kind: PrimitiveKind) -> ReadToken {
    probe.willAcquire(.read)
    let token = unsafe Self.unsafeLockForReading(self, until: .never, for: probe.primitive(kind))
      .unsafelyUnwrapped
    probe.didAcquire()
    return token
  }

  /// Acquires the lock for reading; returns `nil` if that was not possible until `deadline`.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginReading(until deadline: Deadline, for kind: PrimitiveKind) -> ReadToken? {
    deadline == .never ? beginReading(for: kind) : tryReading(until: deadline, for: kind)
  }

  /// Acquires the lock for reading if that is possible within `timeout`; returns `nil` otherwise.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginReading(timeout: Timeout, for kind: PrimitiveKind) -> ReadToken? {
    // The clock is read only if the lock is not free.
    if let token = tryReading(until: .passed, for: kind) { return token }
    return timeout.isZero ? nil : tryReading(until: timeout.deadlineFromNow(), for: kind)
  }

  /// Acquires the lock for reading within `timeout`; throws a `TimeoutError` if it passes first.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginReading(timeout: Duration) throws -> ReadToken {
    let timeout = Timeout(timeout, for: probe.primitive(Self.kind))
    guard let token = beginReading(timeout: timeout, for: Self.kind) else { throw timeoutPassed() }
    return token
  }

  /// Acquires the lock as `beginReading(until:for:)` does, but is never part of a deadlock for the detector.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func tryReading(until deadline: Deadline, for kind: PrimitiveKind) -> ReadToken? {
    let token = unsafe Self.unsafeLockForReading(self, until: deadline, for: probe.primitive(kind))
    if token != nil { probe.didAcquireUnannounced(.read) }
    return token
  }

  /// Releases the lock after reading.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func endReading(_ token: consuming ReadToken, for kind: PrimitiveKind) {
    probe.willRelease()
    // Keeps the compiler from moving a retain of what the section returns behind a store that unlocks.
    ProcessBarrier.light()
    unsafe Self.unsafeUnlockAfterReading(self, token, for: probe.primitive(kind))
  }

  /// Runs `body` in the read section that has begun, and ends the section.
  @_alwaysEmitIntoClient
  @inline(always)
  package borrowing func finishReading<R: ~Copyable, E: Error>(
    _ token: ReadToken, for kind: PrimitiveKind, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try runSection(body) { endReading(token, for: kind) }
  }
}

// MARK: - Closures

extension RawReadWriteLock where Self: ~Copyable {
  /// Runs `body` while no thread writes; other readers may run at the same time.
  ///
  /// Blocks while a writer holds the lock and, depending on the lock's fairness, while one waits for it. A call
  /// inside a section of the same lock is admitted, traps or deadlocks, as the lock's type documents.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try finishReading(beginReading(for: Self.kind), for: Self.kind, body)
  }

  /// Runs `body` while no other thread reads or writes.
  ///
  /// Blocks while another thread holds the lock. Traps when the calling thread holds it for writing, with all locks
  /// of this package; when it holds it for reading, it traps or deadlocks, as the lock's type documents.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: Self.kind)
    return try finishAccess(for: Self.kind, body)
  }

  /// Runs `body` in a read section, unless `timeout` passes before the lock can be acquired.
  ///
  /// - **Wait**: it ends with the unlock of a writer; cancellation has no effect; `timeout` limits it; whom the
  ///   lock's type serves next; whose priority it lends, the type says; its throw leaves the lock as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - body: Runs in the section. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`; the lock is
  ///   released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws -> sending R {
    try finishReading(beginReading(timeout: timeout), for: Self.kind, body)
  }

  /// Runs `body` in a write section, unless `timeout` passes before the lock can be acquired.
  ///
  /// Traps when the calling thread holds the lock for writing and `timeout` is not zero.
  ///
  /// - **Wait**: it ends with the last unlock; cancellation has no effect; `timeout` limits it; whom the lock's
  ///   type serves next; whose priority it lends, the type says; its throw leaves the lock as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - body: Runs in the section. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`; the lock is
  ///   released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws -> sending R {
    try beginAccess(timeout: timeout)
    return try finishAccess(for: Self.kind, body)
  }

  /// Runs `body` in a read section, if the lock can be acquired without waiting.
  ///
  /// The call fails while a writer holds the lock, while the lock is being handed to a waiting writer, and
  /// while a writer tries to acquire it.
  ///
  /// - Returns: The result of `body`; `nil` if the lock was not available, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withReadLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard let token = tryReading(until: .passed, for: Self.kind) else { return nil }
    return try finishReading(token, for: Self.kind, body)
  }

  /// Runs `body` in a write section, if the lock can be acquired without waiting.
  ///
  /// The call fails while the lock is held, while it is being handed to waiting readers, and while a reader
  /// tries to acquire it.
  ///
  /// - Returns: The result of `body`; `nil` if the lock was not available, in which case `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withWriteLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard tryAccess(until: .passed, for: Self.kind) else { return nil }
    return try finishAccess(for: Self.kind, body)
  }
}
