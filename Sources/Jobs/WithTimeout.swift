internal import InterlockCore
internal import InterlockTasks
internal import InterlockWaits

// The operation and a sleep are the two child tasks of a discarding group, each of which ends with an error. The first
// error cancels the other child from whatever thread it was thrown on. With a plain group the caller would cancel it,
// which needs the caller's actor: the operation may be computing there.

/// Runs an asynchronous operation, and cancels it when a timeout passes.
///
/// ```swift
/// do {
///   let page = try await withTimeout(.seconds(5)) { try await download(address) }
///   show(page)
/// } catch is TimeoutError {
///   show("too slow")
/// }
/// ```
///
/// The operation runs in a child task, in the caller's isolation: it may use variables of the caller and of its actor. It
/// has the caller's priority and task-local values. The call returns when the operation has ended, and never earlier.
///
/// # The bug it prevents
/// A group that takes the result of the first of two tasks loses a value that comes together with the timeout, and
/// takes a cancelled caller for a slow operation:
///
/// ```swift
/// let page = try await withThrowingTaskGroup(of: String?.self) { group in
///   group.addTask { try await download(address) }
///   group.addTask {
///     try? await Task.sleep(for: .seconds(5))                 // also ends when the caller is cancelled
///     return nil
///   }
///   defer { group.cancelAll() }
///   return try await group.next()!
/// }
/// ```
///
/// - **Wait**: it ends with the operation; cancellation cancels the operation; `timeout` cancels it, too; one caller
///   alone; the operation has the caller's priority; a throw is that of the operation, or of the timeout.
/// - **Result**: that of the operation, also after the timeout.
/// - **Errors**: those of the operation. Only a `CancellationError` becomes a `TimeoutError`, if the timeout passed before
///   the operation ended and before the caller was cancelled. If the operation's type of errors can't represent that, it
///   is thrown as it is, and `Task.isCancelled` says whether the caller was cancelled.
/// - **Cancellation**: if the calling task is cancelled, so is the operation, and the timeout no longer passes.
/// - **Blocking**: none. An operation that ignores its cancellation keeps the caller suspended.
/// - **Nesting**: the timeout that passes first cancels what is inside it.
/// - **Memory**: what is left of a timeout that did not pass is freed at once with a `SuspendingClock`, and at the time of
///   the timeout with a `ContinuousClock`: Swift's runtime keeps 700 bytes of its sleeps until then.
/// - **Misuse that traps**: a negative timeout.
/// - **Deadlocks it permits**: an operation that waits to the end for an `AsyncMutex` that its caller holds; one that its
///   cancellation resumes, on a task executor that runs jobs where they are enqueued: the runtime can't do that.
///
/// - Parameters:
///   - timeout: The time after which the operation is cancelled. `.zero` tries once: the operation is cancelled from
///     the beginning. More than 68 years never pass.
///   - clock: The clock that measures the timeout; by default that of all timeouts of this package. The `sleep` of
///     another one must end when it is cancelled.
///   - isolation: The caller's isolation.
///   - operation: The operation.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation, or a `TimeoutError` in place of its `CancellationError`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public func withTimeout<R: ~Copyable, E: Error, C: Clock<Duration>>(
  _ timeout: Duration, clock: C = SuspendingClock(),
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws(E) -> R
) async throws(E) -> R {
  if timeout < .zero {
    misuse(
      Primitive(.withTimeout), "a timeout of \(text(of: timeout)) is negative",
      "pass .zero to try once without waiting"
    )
  }
  var result: Result<R, E>?
  let hasPassed = await run(timeout, clock) {
    // A closure has the isolation that it captures.
    _ = isolation
    keepExecutor()
    do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
  }
  switch result.take()! {
  case .success(let value): return value
  case .failure(let error):
    let late = TimeoutError(Primitive(.withTimeout))
    if hasPassed, error is CancellationError, let error = late as? E { throw error }
    throw error
  }
}

/// Ends a child task, and cancels the other one.
private enum End: Error {
  case operation
  case timeout
}

/// Runs `operation`; returns whether the timeout passed before its end.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private func run<C: Clock<Duration>>(
  _ timeout: Duration, _ clock: C, isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async -> Void
) async -> Bool {
  let end = clock.end(of: timeout)
  return await withoutActuallyEscaping(operation) { operation in
    // Sound: the child task calls it in the caller's isolation. The caller is suspended until that task has ended, and
    // nothing else calls it.
    nonisolated(unsafe) let operation = operation
    do {
      try await withThrowingDiscardingTaskGroup { group in
        // A closure has the isolation that it captures.
        _ = isolation
        if timeout == .zero { group.cancelAll() }
        group.addTask {
          unsafe await call(operation, in: isolation)
          throw End.operation
        }
        if timeout == .zero, !Task.isCancelled { throw End.timeout }
        guard let end else { return }
        group.addTask {
          try? await clock.sleepOrForget(until: end)
          if !Task.isCancelled { throw End.timeout }
        }
      }
    } catch End.timeout { return true } catch {}
    return false
  }
}

/// Calls `operation` in the given isolation, which the closure of a child task would not have by capturing it.
private func call(
  _ operation: nonisolated(nonsending) () async -> Void, in isolation: isolated (any Actor)?
) async {
  keepExecutor()
  await operation()
}

extension PrimitiveKind {
  fileprivate static var withTimeout: PrimitiveKind { PrimitiveKind("withTimeout") }
}

extension Clock<Duration> {
  /// The time at which a timeout that begins now passes; `nil` if it never does.
  fileprivate func end(of timeout: Duration) -> Instant? {
    // The standard library's clocks trap when they sleep for more than `Int64.max` seconds.
    if timeout > .seconds(Int32.max) { return nil }
    return now.advanced(by: timeout)
  }

  /// Sleeps until `end`; throws when the task is cancelled.
  ///
  /// With the clock of `Deadline`, nothing is left of a sleep that was cancelled: of its own ones, the runtime keeps
  /// the timer until its time.
  func sleepOrForget(until end: Instant) async throws {
    guard let clock = self as? SuspendingClock, let end = end as? SuspendingClock.Instant else {
      return try await sleep(until: end, tolerance: nil)
    }
    let queue = TaskWaiterQueue()
    let waiter = TaskWaiter()
    queue.withList { $0.append(waiter) }
    let deadline = Deadline(after: max(.zero, clock.now.duration(to: end)))
    if await queue.wait(waiter, unlessCancelledUntil: deadline) == .cancelled { throw CancellationError() }
  }
}
