public import DeadlockDetector
public import LockSupport

/// A limit on the number of tasks that run a piece of code at the same time.
///
/// ```swift
/// let downloads = AsyncSemaphore(permits: 4)
/// let image = try await downloads.withPermit { try await download(name) }
/// ```
///
/// A task has a permit while its body runs, even while it is suspended. The permit is returned when the
/// body ends. No function returns a permit, so none can be lost, returned twice, or returned by another
/// task.
///
/// # The bug it prevents
/// With a semaphore for threads, such as `DispatchSemaphore`, a wait blocks a thread of the pool. When all
/// threads of the pool wait, no task that holds a permit can continue, and the program hangs.
///
/// - **Fairness**: first come, first served. A permit is handed to the task that has waited for longest. It
///   is not used until the system runs that task.
/// - **Blocking**: a waiting task is suspended, and blocks no thread. While permits are free, a section
///   neither suspends the task nor allocates memory.
/// - **Cancellation**: `withPermit(_:)` waits even if the task is cancelled.
///   `withPermitUnlessCancelled(_:)` and `withPermit(timeout:_:)` give up. A task that has taken a permit
///   runs its body, even if it is cancelled afterwards.
/// - **Isolation**: the body runs in the caller's isolation, for instance on the main actor.
/// - **Recursion**: a task may take several permits in nested calls. The permits of a task are not counted.
/// - **Deadlocks it permits**: tasks that hold permits and wait for more, until none is free; a body that
///   waits for a task that waits for a permit.
/// - **Priorities**: tasks that hold permits do not inherit the priority of waiting tasks.
/// - **Memory**: two objects: this one, and the list of waiting tasks.
@_fixed_layout  // With library evolution, the inlinable functions need it.
public final class AsyncSemaphore: Sendable {
  @usableFromInline
  let core: AsyncSemaphoreCore

  @usableFromInline
  let primitive: Primitive

  @usableFromInline
  let node: LockNode

  /// Makes a semaphore whose permits are free.
  ///
  /// - Parameters:
  ///   - permits: The number of tasks that can have a permit at the same time; at least 1, otherwise it traps.
  ///   - label: The semaphore's name in traps with the trait `DeadlockDetection`; without the trait it costs
  ///     nothing.
  ///   - file: The file in reports of `DeadlockDetection`.
  ///   - line: The line in those reports.
  public init(
    permits: Int, label: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    primitive = Primitive(.asyncSemaphore, label, file, line)
    if permits < 1 { Self.trapWithoutPermits(primitive, permits) }
    core = AsyncSemaphoreCore(permits: permits)
    node = LockNode(primitive)
    if permits > 1 { node.admitsSeveralTasks() }
  }

  @inline(never)
  private static func trapWithoutPermits(_ primitive: Primitive, _ permits: Int) -> Never {
    misuse(primitive, "made with \(permits) permits, so no task could go on", "pass at least 1")
  }

  // MARK: Access

  /// Runs `body` with a permit.
  ///
  /// Suspends the task while no permit is free, even if the task is cancelled.
  ///
  /// - Parameter body: Runs with the permit. It may await.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the permit is returned first.
  /// - Complexity: O(1) when a permit is free: one compare-exchange to take it and one to return it.
  @_alwaysEmitIntoClient
  @inline(always)
  public nonisolated(nonsending) func withPermit<R: ~Copyable, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> sending R
  ) async throws(E) -> sending R {
    node.taskWillAcquire()
    if _slowPath(!core.tryAcquire()) { await core.acquireSlow(primitive) }
    node.taskDidAcquire()
    defer { release() }
    return try await body()
  }

  /// Runs `body` with a permit, unless the task is cancelled while it waits for one.
  ///
  /// If the task is already cancelled, `body` runs only if a permit is free.
  ///
  /// - Parameter body: Runs with the permit. It may await.
  /// - Returns: The result of `body`; `nil` when the task was cancelled and `body` was not run.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermitUnlessCancelled<R: ~Copyable, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    node.taskWillAcquire()
    if !core.tryAcquire() {
      guard await core.acquireSlow(unlessCancelledUntil: .never, primitive) else { return nil }
    }
    node.taskDidAcquire()
    defer { release() }
    return try await body()
  }

  /// Runs `body` with a permit, if one becomes free within `timeout` and before the task is cancelled.
  ///
  /// If the task is already cancelled, `body` runs only if a permit is free.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits for ever.
  ///   - body: Runs with the permit; its own time does not count.
  /// - Returns: The result of `body`; `nil` when the time passed or the task was cancelled first, and `body`
  ///   was not run.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermit<R: ~Copyable, E: Error>(
    timeout: Duration, _ body: nonisolated(nonsending) () async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    let timeout = Timeout(timeout, for: primitive)
    if !core.tryAcquire() {
      if timeout.isZero { return nil }
      guard await core.acquireSlow(unlessCancelledUntil: timeout.deadlineFromNow(), primitive) else {
        return nil
      }
    }
    node.taskDidAcquire()
    defer { release() }
    return try await body()
  }

  /// Runs `body` with a permit, if one is free now; it never waits for a permit.
  ///
  /// - Parameter body: Runs with the permit. It may await.
  /// - Returns: The result of `body`; `nil` when no permit is free and `body` was not run.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermitIfAvailable<R: ~Copyable, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> sending R
  ) async throws(E) -> sending R? {
    guard core.tryAcquire() else { return nil }
    node.taskDidAcquire()
    defer { release() }
    return try await body()
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func release() {
    node.taskWillRelease()
    core.release()
  }

  // MARK: Bodies that may not run and return nothing
  // Overloads for a body that returns nothing. For it, the generic functions would return `Void?`, and the
  // compiler does not warn when a caller ignores such a result.

  /// Runs `body` with a permit, unless the task is cancelled while it waits for one.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameter body: Runs with the permit. It may await.
  /// - Returns: Whether `body` was run; `false` when the task was cancelled.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermitUnlessCancelled<E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withPermitUnlessCancelled { () async throws(E) in try await body() }
    return done != nil
  }

  /// Runs `body` with a permit, if one becomes free within `timeout` and before the task is cancelled.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, on the monotonic clock. A negative timeout traps.
  ///   - body: Runs with the permit; its own time does not count.
  /// - Returns: Whether `body` was run; `false` when the time passed or the task was cancelled first.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermit<E: Error>(
    timeout: Duration, _ body: nonisolated(nonsending) () async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withPermit(timeout: timeout) { () async throws(E) in try await body() }
    return done != nil
  }

  /// Runs `body` with a permit, if one is free now; it never waits for a permit.
  ///
  /// This overload is for a body that returns nothing. In all other respects it acts as the overload for a
  /// body with a result.
  ///
  /// - Parameter body: Runs with the permit. It may await.
  /// - Returns: Whether `body` was run; `false` when no permit is free.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withPermitIfAvailable<E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> Void
  ) async throws(E) -> Bool {
    let done: Void? = try await withPermitIfAvailable { () async throws(E) in try await body() }
    return done != nil
  }
}
