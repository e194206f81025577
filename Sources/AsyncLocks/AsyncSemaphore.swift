public import InterlockCore

/// A limit on the number of tasks that run a piece of code at the same time.
///
/// ```swift
/// let downloads = AsyncSemaphore(permits: 4)
/// let image = try await downloads.withPermit { try await download(name) }
/// ```
///
/// A task has a permit while its body runs, even while it is suspended. The permit is returned when the
/// body ends. No function returns a permit, so none can be lost, returned twice, or returned by another
/// task. Work that weighs more takes several permits at once: `withPermit(count: 3) { … }`.
///
/// # The bug it prevents
/// With a semaphore for threads, such as `DispatchSemaphore`, a wait blocks a thread of the pool. When all
/// threads of the pool wait, no task that holds a permit can continue, and the program hangs.
///
/// - **Fairness**: permits are handed to the first task that waits, and kept for it until there are as many as it
///   needs: tasks that need fewer wait behind it. They are not used until the system runs that task. Tasks of
///   higher priority go first, and the others in the order of their arrival. A task is overtaken at most 64 times by
///   later ones.
/// - **Blocking**: a waiting task is suspended, and blocks no thread. While permits are free, a section
///   neither suspends the task nor allocates memory.
/// - **Cancellation**: a task that is cancelled, even before the call, takes permits that are free. Where it would
///   wait, `withPermitUnlessCancelled(_:)` and `withPermit(timeout:_:)` throw `CancellationError`, and `withPermit(_:)`
///   waits. A task that has taken a permit runs its body, even if it is cancelled afterwards.
/// - **Timeouts**: `withPermit(timeout:_:)` throws `TimeoutError`. Both errors mean that the body did not run.
/// - **Isolation**: the body runs in the caller's isolation, for instance on the main actor.
/// - **Recursion**: a task may take several permits in nested calls. The permits of a task are not counted.
/// - **Misuse that traps**: asking for fewer than one permit, or for more than there are.
/// - **Deadlocks it permits**: tasks that hold permits and wait for more, until none is free; a body that
///   waits for a task that waits for a permit.
/// - **Priorities**: tasks that hold permits do not get the priority of waiting tasks, because nothing records which
///   tasks those are.
/// - **Memory**: two objects: this one, and the list of waiting tasks.
@_fixed_layout  // With library evolution, the inlinable functions need it.
public final class AsyncSemaphore: Sendable {
  @usableFromInline
  let core: AsyncSemaphoreCore

  private let permits: Int

  @usableFromInline
  let primitive: Primitive

  @usableFromInline
  let probe: Probe

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
    self.permits = permits
    core = AsyncSemaphoreCore(permits: permits)
    probe = Probe(primitive)
    if permits > 1 { probe.admitsSeveralTasks() }
  }

  @inline(never)
  private static func trapWithoutPermits(_ primitive: Primitive, _ permits: Int) -> Never {
    misuse(primitive, "made with \(permits) permits, so no task could go on", "pass at least 1")
  }

  /// The number of permits that no task has.
  ///
  /// Other tasks may take or return some at any moment, so use it only to display. Permits that are kept for a
  /// waiting task count as free. Never blocks.
  public var freePermits: Int { Int(AsyncSemaphoreCore.free(core.word.load(.acquiring))) }

  // MARK: Access

  @_alwaysEmitIntoClient
  @inline(__always)
  func need(_ count: Int) -> UInt64 {
    // One permit needs no check, and mostly the compiler sees that it is one.
    if count != 1 { check(count) }
    return UInt64(truncatingIfNeeded: count)
  }

  @usableFromInline
  func check(_ count: Int) {
    if count < 1 || count > permits {
      misuse(
        primitive, "asked for \(count) of \(permits) permits",
        "ask for at least 1, and for no more than there are")
    }
  }

  /// Runs `body` with a permit.
  ///
  /// Suspends the task while no permit is free, even if the task is cancelled.
  ///
  /// - **Wait**: it ends when permits are returned; a cancelled task waits on; no timeout; by priority, then first
  ///   come; no priority is lent; a throw of `body` returns the permits.
  ///
  /// - Parameters:
  ///   - count: The number of permits that the body needs.
  ///   - isolation: The caller's isolation.
  ///   - body: Runs with the permits. It may await.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; the permit is returned first.
  /// - Complexity: O(1) when a permit is free: one compare-exchange to take it and one to return it.
  @_alwaysEmitIntoClient
  @inline(always)
  public func withPermit<R: ~Copyable, E: Error>(
    count: Int = 1, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let need = need(count)
    probe.taskWillAcquire()
    if _slowPath(!core.tryAcquire(need)) { await acquire(need) }
    probe.taskDidAcquire()
    defer { release(need) }
    keepExecutor()
    return try await body()
  }

  /// Runs `body` with a permit, unless the task is cancelled while it waits for one.
  ///
  /// A task that is already cancelled takes a permit that is free, and throws only where it would wait.
  ///
  /// - **Wait**: it ends when permits are returned; a task that is cancelled before or while it waits throws; no
  ///   timeout; by priority, then first come; no priority is lent; its throw takes no permit.
  ///
  /// - Parameters:
  ///   - count: The number of permits that the body needs.
  ///   - isolation: The caller's isolation.
  ///   - body: Runs with the permits. It may await.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError` instead of running `body`, if the task was cancelled while it waited; the error of
  ///   `body`, and the permit is returned first.
  @_alwaysEmitIntoClient
  public func withPermitUnlessCancelled<R: ~Copyable>(
    count: Int = 1, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    let need = need(count)
    probe.taskWillAcquire()
    if !core.tryAcquire(need) { try await acquire(need, unlessCancelledUntil: .never) }
    probe.taskDidAcquire()
    defer { release(need) }
    keepExecutor()
    return try await body()
  }

  /// Runs `body` with a permit, if one becomes free within `timeout` and before the task is cancelled.
  ///
  /// A task that is already cancelled takes a permit that is free, and throws only where it would wait.
  ///
  /// - **Wait**: it ends when permits are returned; a task that is cancelled before or while it waits throws;
  ///   `timeout` limits it; by priority, then first come; no priority is lent; its throw takes no permit.
  ///
  /// - Parameters:
  ///   - count: The number of permits that the body needs.
  ///   - timeout: The maximum time to wait, on the monotonic clock. `.zero` tries once. A negative timeout
  ///     traps. A timeout that the clock can't represent waits forever.
  ///   - isolation: The caller's isolation.
  ///   - body: Runs with the permit; its own time does not count.
  /// - Returns: The result of `body`.
  /// - Throws: `TimeoutError` or `CancellationError` instead of running `body`, if the time passed or the task was
  ///   cancelled while it waited; the error of `body`, and the permit is returned first.
  @_alwaysEmitIntoClient
  public func withPermit<R: ~Copyable>(
    count: Int = 1, timeout: Duration, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    let need = need(count)
    let timeout = Timeout(timeout, for: primitive)
    if !core.tryAcquire(need) { try await acquire(need, within: timeout) }
    probe.taskDidAcquire()
    defer { release(need) }
    keepExecutor()
    return try await body()
  }

  /// Runs `body` with a permit, if one is free now; it never waits for a permit.
  ///
  /// - Parameters:
  ///   - count: The number of permits that the body needs.
  ///   - isolation: The caller's isolation.
  ///   - body: Runs with the permits. It may await.
  /// - Returns: The result of `body`; `nil` when no permit is free and `body` was not run.
  /// - Throws: The error of `body`; the permit is returned first.
  @_alwaysEmitIntoClient
  public func withPermitIfAvailable<R: ~Copyable, E: Error>(
    count: Int = 1, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R? {
    let need = need(count)
    guard core.tryAcquire(need) else { return nil }
    probe.taskDidAcquire()
    defer { release(need) }
    keepExecutor()
    return try await body()
  }

  @usableFromInline
  @inline(never)
  func acquire(_ need: UInt64, isolation: isolated (any Actor)? = #isolation) async {
    await core.acquireSlow(as: 0, need, primitive, probe) { [self] in core.handOn() }
  }

  @usableFromInline
  func acquire(
    _ need: UInt64, unlessCancelledUntil deadline: Deadline, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await core.acquireSlow(as: 0, need, unlessCancelledUntil: deadline, primitive, of: self) {
      [self] in core.handOn()
    }
  }

  @usableFromInline
  @inline(never)
  func acquire(
    _ need: UInt64, within timeout: Timeout, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    if timeout.isZero { throw TimeoutError(primitive, of: self) }
    try await acquire(need, unlessCancelledUntil: timeout.deadlineFromNow())
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func release(_ need: UInt64) {
    probe.taskWillRelease()
    core.release(need)
  }
}

extension PrimitiveKind {
  @_alwaysEmitIntoClient
  @_transparent
  package static var asyncSemaphore: PrimitiveKind { PrimitiveKind("AsyncSemaphore", .grantsPermits) }
}
