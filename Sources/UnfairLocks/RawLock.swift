@_exported public import struct InterlockCore.TimeoutError
public import InterlockCore

/// A lock as two functions, which acquire and release it; everything else is in extensions.
///
/// Conform a type to this protocol to make a lock of your own. The extensions then give it closures, timeouts
/// and the connection to the tools. To use a lock, call `withLock(_:)`: who calls the two functions directly can
/// end a section of somebody else.
///
/// # Safety of a conformance
/// Closures get access to guarded values between `unsafeLock` and `unsafeUnlock`. So a conformance must keep
/// these rules, which the compiler can't check:
///
/// 1. **Exclusion**: from a call of `unsafeLock` that returns `true` until `unsafeUnlock`, no other such call
///    returns `true`.
/// 2. **Visibility**: `unsafeLock` acquires, and `unsafeUnlock` releases. A plain releasing store is enough: the
///    extensions keep the compiler from moving anything of a section behind `unsafeUnlock`.
/// 3. **Time**: `unsafeLock` returns `false` only when the deadline has passed.
/// 4. **Thread**: the extensions call `unsafeUnlock` on the thread that has called `unsafeLock`.
///
/// By implementing `unsafePromiseOfMutualExclusion()`, an author promises that the conformance keeps these rules.
/// (An `@unsafe` protocol would make each use of a lock unsafe in modules with strict memory safety.)
///
/// The requirements are static, and get the lock as an argument, so that users of the lock don't meet them among its
/// functions. The module `RawLocks` has the types that they name.
public protocol RawLock: ~Copyable, Sendable {
  /// What a reader of a `RawReadWriteLock` keeps; `Never` for a lock that has no readers.
  ///
  /// A lock without readers has `withLock`; a read/write lock has `withReadLock` and `withWriteLock`.
  associatedtype ReadToken = Never

  /// The author's promise that the type keeps the rules of `RawLock`, on which memory safety depends.
  ///
  /// The function is never called. A conformance must implement it with an empty body. A comment in the body
  /// should say why the rules are kept.
  ///
  /// Its name differs from that of `ReadWriteLock`'s promise: each conformance needs a promise of its own.
  @unsafe static func unsafePromiseOfMutualExclusion()

  /// The lock's type, as traps and reports name it.
  static var kind: PrimitiveKind { get }

  /// The connection to the tools, which the lock stores; make it with the lock, as `Probe(Primitive(Self.kind))`.
  static func probe(of lock: borrowing Self) -> Probe

  /// Acquires the lock, and returns whether it did.
  ///
  /// - Parameters:
  ///   - lock: The lock.
  ///   - deadline: The time at which the call gives up. `Deadline.passed` tries once and never waits or traps;
  ///     `Deadline.never` waits until the lock is acquired.
  ///   - primitive: What a trap names: the lock, or the type that contains it.
  @unsafe static func unsafeLock(
    _ lock: borrowing Self, until deadline: Deadline, for primitive: Primitive
  ) -> Bool

  /// Releases the lock, which the calling thread holds.
  ///
  /// - Parameters:
  ///   - lock: The lock.
  ///   - primitive: What a trap names: the lock, or the type that contains it.
  @unsafe static func unsafeUnlock(_ lock: borrowing Self, for primitive: Primitive)

  /// Whether the lock can be reserved as `ReservableLock` says; only locks of this package can.
  @_documentation(visibility: internal)
  @unsafe static var isReservable: Bool { get }

  /// Acquires the lock as `unsafeLock` does, on the thread for which it may be reserved.
  @_documentation(visibility: internal)
  @unsafe static func unsafeLockServed(
    _ lock: borrowing Self, until deadline: Deadline, for primitive: Primitive
  ) -> Bool
}

// The requirements as this package calls them.
extension RawLock where Self: ~Copyable {
  /// The connection to the tools.
  @_alwaysEmitIntoClient
  @_transparent
  package var probe: Probe { Self.probe(of: self) }

  /// Acquires the lock, and returns whether it did.
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  package borrowing func unsafeLock(until deadline: Deadline, for primitive: Primitive) -> Bool {
    unsafe Self.unsafeLock(self, until: deadline, for: primitive)
  }

  /// Releases the lock, which the calling thread holds.
  @_alwaysEmitIntoClient
  @_transparent
  @unsafe
  package borrowing func unsafeUnlock(for primitive: Primitive) {
    unsafe Self.unsafeUnlock(self, for: primitive)
  }
}

// MARK: - Reservations

extension RawLock where Self: ~Copyable {
  /// `false`: a lock of one's own can't be reserved.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @unsafe public static var isReservable: Bool { false }

  /// Acquires the lock, as any thread does: it is never reserved.
  @_documentation(visibility: internal)
  @_alwaysEmitIntoClient
  @unsafe
  public static func unsafeLockServed(
    _ lock: borrowing Self, until deadline: Deadline, for primitive: Primitive
  ) -> Bool {
    unsafe unsafeLock(lock, until: deadline, for: primitive)
  }

  /// The lock as one that can be reserved; `nil` if its type can't.
  ///
  /// The lock must be stored in place, and must outlive the result.
  @usableFromInline
  package borrowing func reservable() -> ReservableLock? {
    guard unsafe Self.isReservable else { return nil }
    // Sound: only the address is used, which is that of the lock's first word, an atomic.
    let address = unsafe withUnsafePointer(to: self) { UInt(bitPattern: $0) }
    return ReservableLock(key: address &- lockKeyOffset)
  }

  /// Acquires the lock as `beginAccess(until:for:)` does, for the thread for which the lock may be reserved.
  @_alwaysEmitIntoClient
  package borrowing func beginServedAccess(until deadline: Deadline, for kind: PrimitiveKind) -> Bool {
    if deadline == .never { probe.willAcquire() }
    let isLocked = unsafe Self.unsafeLockServed(self, until: deadline, for: probe.primitive(kind))
    if isLocked { if deadline == .never { probe.didAcquire() } else { probe.didAcquireUnannounced() } }
    return isLocked
  }
}

// MARK: - The ends of a section

// Also for property accessors, whose `yield` can't be inside a closure.
extension RawLock where Self: ~Copyable {
  /// Acquires the lock; traps and reports name `kind`.
  ///
  /// The caller must release the lock with `endAccess` on every path.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(for kind: PrimitiveKind) {
    probe.willAcquire()
    _ = unsafe unsafeLock(until: .never, for: probe.primitive(kind))
    probe.didAcquire()
  }

  /// Acquires the lock, and returns whether that was possible until `deadline`.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(until deadline: Deadline, for kind: PrimitiveKind) -> Bool {
    if deadline != .never { return tryAccess(until: deadline, for: kind) }
    beginAccess(for: kind)
    return true
  }

  /// Acquires the lock if that is possible within `timeout`, and returns whether it did.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(timeout: Timeout, for kind: PrimitiveKind) -> Bool {
    // The clock is read only if the lock is not free.
    tryAccess(until: .passed, for: kind)
      || !timeout.isZero && tryAccess(until: timeout.deadlineFromNow(), for: kind)
  }

  /// Acquires the lock as `beginAccess(until:for:)` does, but is never part of a deadlock for the detector.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func tryAccess(until deadline: Deadline, for kind: PrimitiveKind) -> Bool {
    let isLocked = unsafe unsafeLock(until: deadline, for: probe.primitive(kind))
    if isLocked { probe.didAcquireUnannounced() }
    return isLocked
  }

  /// Releases the lock.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func endAccess(for kind: PrimitiveKind) {
    probe.willRelease()
    // Keeps the compiler from moving a retain of what the section returns behind a store that unlocks.
    ProcessBarrier.light()
    unsafe unsafeUnlock(for: probe.primitive(kind))
  }

  /// Runs `body` in the section that has begun, and ends the section.
  @_alwaysEmitIntoClient
  @inline(always)
  package borrowing func finishAccess<R: ~Copyable, E: Error>(
    for kind: PrimitiveKind, _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    try runSection(body) { endAccess(for: kind) }
  }
}

// MARK: - Giving up

extension RawLock where Self: ~Copyable {
  /// Acquires the lock within `timeout`; throws a `TimeoutError` if it passes first.
  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func beginAccess(timeout: Duration) throws {
    let timeout = Timeout(timeout, for: probe.primitive(Self.kind))
    guard beginAccess(timeout: timeout, for: Self.kind) else { throw timeoutPassed() }
  }

  // Out of line: code that gives up must not make a fast path longer.
  @usableFromInline
  @inline(never)
  package borrowing func timeoutPassed() -> any Error {
    TimeoutError(probe.primitive(Self.kind), at: identity())
  }

  /// The lock's address while it is borrowed; of an object, its own.
  @usableFromInline
  package borrowing func identity() -> UInt {
    // Sound: the pointer is not used beyond the closure, and a type that is a class stores a pointer.
    unsafe withUnsafePointer(to: self) { lock in
      // A cast of the metatype of a noncopyable type needs a newer system on Apple platforms.
      unsafe unsafeBitCast(Self.self as any (~Copyable).Type, to: Any.Type.self) is AnyClass
        ? UnsafeRawPointer(lock).load(as: UInt.self) : UInt(bitPattern: lock)
    }
  }
}

extension TimeoutError {
  /// Whether `lock` has thrown this error: the timeout of a call of `lock` has passed, and not that of another wait inside
  /// its body.
  ///
  /// - Parameter lock: A lock that is stored in place, in an object or in a variable of the calling function, and still
  ///   exists.
  @_disfavoredOverload
  public func isThrown(by lock: borrowing some RawLock & ~Copyable) -> Bool {
    address != 0 && address == lock.identity()
  }
}

// MARK: - Closures

extension RawLock where Self: ~Copyable, ReadToken == Never {
  /// Runs `body` while holding the lock.
  ///
  /// Equivalent to
  /// ```swift
  /// func withLock<R>(_ body: () throws -> R) rethrows -> R {
  ///   lock()
  ///   defer { unlock() }
  ///   return try body()
  /// }
  /// ```
  /// Blocks while another thread holds the lock. Traps when the calling thread holds the lock, with all locks of this
  /// package.
  ///
  /// - **Wait**: it ends with the unlock; cancellation has no effect; no timeout; whom the lock's type serves next;
  ///   whose priority it lends, the type says; a throw of `body` releases the lock.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  /// - Complexity: That of the lock; for `UnfairLock`, when it is free, one compare-exchange to acquire it and
  ///   one to release it.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R {
    beginAccess(for: Self.kind)
    return try finishAccess(for: Self.kind, body)
  }

  /// Runs `body` while holding the lock, if the lock is free now; never waits.
  ///
  /// It returns `nil` if a thread, possibly the calling one, holds the lock, or if the lock is being handed
  /// to a waiting thread.
  ///
  /// - Returns: The result of `body`; `nil` when the lock is not available now and `body` was not run.
  /// - Throws: The error of `body`; the lock is released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard tryAccess(until: .passed, for: Self.kind) else { return nil }
    return try finishAccess(for: Self.kind, body)
  }

  /// Runs `body` while holding the lock, unless `timeout` passes before the lock can be acquired.
  ///
  /// Blocks the calling thread for at most `timeout` while another thread holds the lock. There is no
  /// asynchronous form. Traps when the calling thread holds the lock and `timeout` is not zero, because that wait
  /// could only fail.
  ///
  /// - **Wait**: it ends with the unlock; cancellation has no effect; `timeout` limits it; whom the lock's type
  ///   serves next; whose priority it lends, the type says; its throw leaves the lock as it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - body: Runs under the lock. The timeout does not limit how long it runs.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` instead of running `body`, if the timeout passes first. The error of `body`; the lock is
  ///   released first.
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLock<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: () throws(E) -> sending R
  ) throws -> sending R {
    try beginAccess(timeout: timeout)
    return try finishAccess(for: Self.kind, body)
  }

  // MARK: A body that was passed to the caller
  // For the wrappers in many packages:
  //
  //     func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock(body) }
  //
  // The overload for closures requires that the result of the body is `sending`, which the type of such a
  // parameter does not promise. Here the result stays in the caller's isolation instead. For a closure
  // literal the compiler prefers the overload for closures.

  /// Runs `body`, a function that was passed to the caller, while holding the lock.
  ///
  /// It blocks and traps as the overload for closures does. The result can be sent to other tasks only if it
  /// is `Sendable`.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the lock is released first.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  @inline(always)
  public borrowing func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try withLock { () throws(E) in
      // Sound: the result returns to the caller's isolation, from which `body` came.
      nonisolated(unsafe) let result = try body()
      return unsafe result
    }
  }
}
