@_exported public import struct InterlockCore.TimeoutError
public import InterlockCore
public import InterlockWaits

/// A value with a mutual-exclusion lock that a task may hold across an `await`.
///
/// ```swift
/// let session = AsyncMutex(Session())
/// try await session.withLock { session in
///   try await session.renew()                 // locked while the task is suspended, too
/// }
/// ```
///
/// For sections without `await`, prefer an `ExclusiveProtector` (module `Protectors`), which is cheaper and
/// can be used outside tasks.
///
/// # The bug it prevents
/// An actor is not locked while one of its functions is suspended. Another call may change the state that
/// the first call has already checked:
///
/// ```swift
/// actor Downloads {
///   var images: [String: Image] = [:]
///
///   func image(_ name: String) async throws -> Image {
///     if let image = images[name] { return image }
///     let image = try await download(name)     // the next call comes in here, and downloads again
///     images[name] = image
///     return image
///   }
/// }
/// ```
///
/// Critical sections of an `AsyncMutex` don't overlap, even while a task is suspended in one of them.
///
/// - **Fairness**: the lock is handed to the first task that waits, for which all others then wait, although the
///   system may run it late. Tasks of higher priority go first, and the others in the order of their arrival. A
///   task is overtaken at most 64 times by later ones.
/// - **Blocking**: a waiting task is suspended, and blocks no thread. Without contention a section neither
///   suspends the task nor allocates memory.
/// - **Cancellation**: a task that is cancelled, even before the call, takes a lock that is free. Where it would wait,
///   `withLockUnlessCancelled(_:)` and `withLock(timeout:_:)` throw `CancellationError`, and `withLock(_:)` waits. A
///   task that has acquired the lock runs its body, even if it is cancelled afterwards.
/// - **Timeouts**: `withLock(timeout:_:)` throws `TimeoutError`. Both errors mean that the body did not run.
/// - **Isolation**: the body runs in the caller's isolation, for instance on the main actor.
/// - **Recursion**: traps if the task that holds the lock locks it again.
/// - **Deadlocks it permits**: a child task that locks its parent's mutex, while the parent waits for the
///   child; tasks that lock two mutexes in opposite orders.
/// - **Priorities**: the owner gets the highest priority of the waiting tasks, also if one is escalated while it
///   waits, and keeps it. If the owner waits for another `AsyncMutex`, it lends that on. From macOS 26 on.
/// - **Memory**: two objects: this one with the value, and the list of waiting tasks.
@_fixed_layout  // With library evolution, the inlinable functions need it.
public final class AsyncMutex<Value: ~Copyable>: @unchecked Sendable {
  // `@unchecked Sendable` is sound: only the task that holds `core` accesses the value, and a value enters
  // and leaves only as `sending`.

  @usableFromInline
  let core: AsyncSemaphoreCore

  @usableFromInline
  let primitive: Primitive

  @usableFromInline
  let probe: Probe

  // Sound: accessed only by the task that holds `core`, or by `init` and `deinit`. The dynamic exclusivity
  // check would only repeat the lock's work.
  @exclusivity(unchecked)
  @usableFromInline
  nonisolated(unsafe) var storage: Value

  /// Makes a mutex.
  ///
  /// - Parameters:
  ///   - value: The initial value.
  ///   - label: The mutex's name in traps with the trait `DeadlockDetection`; without the trait it costs
  ///     nothing.
  ///   - file: The file in reports of `DeadlockDetection`.
  ///   - line: The line in those reports.
  public init(
    _ value: consuming sending Value, label: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    core = AsyncSemaphoreCore(permits: 1)
    primitive = Primitive(.asyncMutex, label, file, line)
    probe = Probe(primitive)
    unsafe storage = value
  }

  // MARK: Access

  /// Runs `body` with the value, while no other task has it.
  ///
  /// Suspends the task while another one holds the lock, even if the task is cancelled. Traps when the
  /// calling task holds the lock.
  ///
  /// - **Wait**: it ends with the unlock; a cancelled task waits on; no timeout; by priority, then first
  ///   come; the owner gets the task's priority; a throw leaves what `body` has changed.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; changes that it made before stay.
  /// - Complexity: O(1) when the lock is free: one compare-exchange to acquire it and one to release it.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withLock<R: ~Copyable, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> sending R
  ) async throws(E) -> sending R {
    let task = TaskIdentity.current
    probe.taskWillAcquire()
    if _slowPath(!core.tryAcquire(as: task)) { await core.acquireSlow(as: task, 1, primitive, probe) }
    probe.taskDidAcquire()
    defer { release(task) }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  /// Runs `body` with the value, unless the task is cancelled while it waits for the lock.
  ///
  /// A task that is already cancelled takes the lock if it is free, and throws only where it would wait. Traps when
  /// the calling task holds the lock.
  ///
  /// - **Wait**: it ends with the unlock; a task that is cancelled before or while it waits throws; no timeout;
  ///   by priority, then first come; the owner gets the task's priority; its throw leaves the value as it is.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError` instead of running `body`, if the task was cancelled while it waited; the error of
  ///   `body`, and changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLockUnlessCancelled<R: ~Copyable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws -> sending R
  ) async throws -> sending R {
    let task = TaskIdentity.current
    probe.taskWillAcquire()
    if !core.tryAcquire(as: task) {
      try await core.acquireSlow(as: task, 1, unlessCancelledUntil: .never, primitive, of: self)
    }
    probe.taskDidAcquire()
    defer { release(task) }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout` and before the task is
  /// cancelled.
  ///
  /// A task that is already cancelled takes the lock if it is free, and throws only where it would wait. Traps when
  /// the calling task holds the lock and `timeout` is not zero.
  ///
  /// - **Wait**: it ends with the unlock; a task that is cancelled before or while it waits throws; `timeout`
  ///   limits it; by priority, then first come; the owner gets the task's priority; its throw leaves the value as
  ///   it is.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value; its own time does not count.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the time passed or the task was
  ///   cancelled while it waited; the error of `body`, and changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLock<R: ~Copyable>(
    timeout: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws -> sending R
  ) async throws -> sending R {
    let timeout = Timeout(timeout, for: primitive)
    let task = TaskIdentity.current
    if !core.tryAcquire(as: task) { try await acquire(as: task, within: timeout) }
    probe.taskDidAcquire()
    defer { release(task) }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  @usableFromInline
  @inline(never)
  func acquire(
    as task: UInt64, within timeout: Timeout, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    if timeout.isZero { throw TimeoutError(primitive, of: self) }
    try await core.acquireSlow(
      as: task, 1, unlessCancelledUntil: timeout.deadlineFromNow(), primitive, of: self)
  }

  /// Runs `body` with the value, if the lock is free now; it never waits for the lock.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: The result of `body`; `nil` when a task, possibly the calling one, holds the lock and `body`
  ///   was not run.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLockIfAvailable<R: ~Copyable, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let task = TaskIdentity.current
    guard core.tryAcquire(as: task) else { return nil }
    probe.taskDidAcquire()
    defer { release(task) }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func release(_ task: UInt64) {
    probe.taskWillRelease()
    core.release(as: task)
  }
}

extension AsyncMutex: CustomReflectable where Value: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  @_documentation(visibility: internal)
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var asyncMutex: PrimitiveKind { PrimitiveKind("AsyncMutex") }
}
