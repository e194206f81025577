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
/// - **Fairness**: first come, first served. The lock is handed to the task that has waited for longest. All
///   others then wait for that task, which the system may run late.
/// - **Blocking**: a waiting task is suspended, and blocks no thread. Without contention a section neither
///   suspends the task nor allocates memory.
/// - **Cancellation**: `withLock(_:)` waits even if the task is cancelled. `withLockUnlessCancelled(_:)`
///   and `withLock(timeout:_:)` give up. A task that has acquired the lock runs its body, even if it is
///   cancelled afterwards.
/// - **Isolation**: the body runs in the caller's isolation, for instance on the main actor.
/// - **Recursion**: traps if the task that holds the lock locks it again.
/// - **Deadlocks it permits**: a child task that locks its parent's mutex, while the parent waits for the
///   child; tasks that lock two mutexes in opposite orders.
/// - **Priorities**: the owner does not inherit the priority of waiting tasks. A task of high priority waits
///   for those before it, at their priorities.
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
    defer { release() }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  /// Runs `body` with the value, unless the task is cancelled while it waits for the lock.
  ///
  /// If the task is already cancelled, `body` runs only if the lock is free. Traps when the calling task
  /// holds the lock.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: The result of `body`; `nil` when the task was cancelled and `body` was not run.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLockUnlessCancelled<R: ~Copyable, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let task = TaskIdentity.current
    probe.taskWillAcquire()
    if !core.tryAcquire(as: task) {
      guard await core.acquireSlow(as: task, 1, unlessCancelledUntil: .never, primitive) else { return nil }
    }
    probe.taskDidAcquire()
    defer { release() }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout` and before the task is
  /// cancelled.
  ///
  /// If the task is already cancelled, `body` runs only if the lock is free. Traps when the calling task
  /// holds the lock and `timeout` is not zero.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value; its own time does not count.
  /// - Returns: The result of `body`; `nil` when the time passed or the task was cancelled first, and `body`
  ///   was not run.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLock<R: ~Copyable, E: Error>(
    timeout: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: primitive)
    let task = TaskIdentity.current
    if !core.tryAcquire(as: task) {
      if timeout.isZero { return nil }
      let deadline = timeout.deadlineFromNow()
      guard await core.acquireSlow(as: task, 1, unlessCancelledUntil: deadline, primitive) else { return nil }
    }
    probe.taskDidAcquire()
    defer { release() }
    keepExecutor()
    return try await unsafe body(&storage)
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
    defer { release() }
    keepExecutor()
    return try await unsafe body(&storage)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func release() {
    probe.taskWillRelease()
    core.releaseAsOwner()
  }

  // MARK: Bodies that may not run and return nothing
  // Overloads for a body that returns nothing. For it, the generic functions would return `Void?`, and the
  // compiler does not warn when a caller ignores such a result.

  /// Runs `body` with the value, unless the task is cancelled while it waits for the lock.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLockUnlessCancelled<E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withLockUnlessCancelled { value async throws(E) in try await body(&value) }
    return done != nil
  }

  /// Runs `body` with the value, if the lock can be acquired within `timeout` and before the task is
  /// cancelled.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. A negative timeout traps.
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed or the task was cancelled first.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLock<E: Error>(
    timeout: Duration, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withLock(timeout: timeout) { value async throws(E) in try await body(&value) }
    return done != nil
  }

  /// Runs `body` with the value, if the lock is free now; it never waits for the lock.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: Reads or changes the value. It may await.
  /// - Returns: Whether `body` was run; `false` when a task holds the lock.
  /// - Throws: The error of `body`; changes that it made before stay.
  @_alwaysEmitIntoClient
  public func withLockIfAvailable<E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (inout sending Value) async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withLockIfAvailable { value async throws(E) in try await body(&value) }
    return done != nil
  }
}

extension AsyncMutex: CustomReflectable where Value: ~Copyable {
  /// A mirror without children.
  ///
  /// Reflection does not acquire the lock, so it must not see the value. Never blocks.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - What other locks have

extension AsyncMutex where Value: ~Copyable {
  /// Not available: sections are closures.
  @available(*, unavailable, message: "pass the section as a closure, which may await: await withLock { … }")
  @_alwaysEmitIntoClient
  public func lock() {}

  /// Not available: a section ends with its closure.
  @available(*, unavailable, message: "a section ends with the closure of withLock")
  @_alwaysEmitIntoClient
  public func unlock() {}
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var asyncMutex: PrimitiveKind { PrimitiveKind("AsyncMutex") }
}
