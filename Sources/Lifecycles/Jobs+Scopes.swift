public import Dispatch
internal import PlatformLocks

// The forms of `withJobs`, which differ in where the completion runs, and each again without errors.

// MARK: A completion on a queue

/// Runs jobs in the background, and then, once, a completion on a queue.
///
/// ```swift
/// withJobs(throwing: ImportError.self, completionOn: store.queue) { jobs in
///   for file in files {
///     jobs.add { () throws(ImportError) in try store.import(file) }
///   }
/// } completion: { result in
///   store.finishImport(result)
/// }
/// ```
///
/// The scope, `body`, runs at once on the calling thread and adds the jobs, which may begin while it still runs, and may
/// add others. When the scope has ended, and all jobs have, the completion runs; also when there were none. A group
/// can't be left open, and nothing can be added to one that is complete: the compiler lends `Jobs` and lets nobody keep it.
///
/// - **Threads**: at most as many jobs at a time as the machine has processors. A job that waits for something counts.
/// - **Order**: jobs begin in the order in which they were added. When the completion runs, everything that jobs did is
///   visible to it, and they, with all they captured, have been released.
/// - **Errors**: a job that throws does not stop others, which can look at `Jobs.isCancelled`. The completion gets one
///   error: that of the failing job that was added first, whichever failed first in time.
/// - **Quality of service**: that of `queue`, or of the thread that adds a job where the queue has none, on systems that
///   have it.
/// - **Blocking**: none. The scope's own work aside, it returns at once.
/// - **Deadlocks it permits**: a job that waits for another job of its group.
///
/// - Parameters:
///   - failure: What jobs throw.
///   - queue: Where the jobs run. On a serial queue they run one after the other.
///   - completionQueue: Where the completion runs.
///   - body: The scope, which adds jobs.
///   - completion: What to do when all is done. Called once.
/// - Complexity: A piece of work of the queue for each job.
public func withJobs<Failure: Error>(
  throwing failure: Failure.Type,
  on queue: DispatchQueue = .global(),
  completionOn completionQueue: DispatchQueue,
  _ body: (borrowing Jobs<Failure>) -> Void,
  completion: @escaping @Sendable (Result<Void, Failure>) -> Void
) {
  runJobs(on: queue, body) { result in
    completionQueue.async { completion(result) }
  }
}

/// Runs jobs that throw nothing in the background, and then, once, a completion on a queue.
///
/// See the form with errors.
///
/// - Parameters:
///   - queue: Where the jobs run.
///   - completionQueue: Where the completion runs.
///   - body: The scope, which adds jobs.
///   - completion: What to do when all is done. Called once.
public func withJobs(
  on queue: DispatchQueue = .global(),
  completionOn completionQueue: DispatchQueue,
  _ body: (borrowing Jobs<Never>) -> Void,
  completion: @escaping @Sendable () -> Void
) {
  runJobs(on: queue, body) { _ in
    completionQueue.async { completion() }
  }
}

// MARK: A completion on an actor

/// Runs jobs in the background, and then, once, a completion on the actor that the completion belongs to.
///
/// ```swift
/// withJobs { jobs in
///   for image in images { jobs.add { cache.render(image) } }
/// } completion: { @MainActor in
///   view.reload()
/// }
/// ```
///
/// It is the form with a queue in all but where the completion runs: on its actor's executor, in a task of its own, or on
/// the cooperative pool if it belongs to no actor.
///
/// - Parameters:
///   - failure: What jobs throw.
///   - queue: Where the jobs run.
///   - body: The scope, which adds jobs.
///   - completion: What to do when all is done. Called once.
public func withJobs<Failure: Error>(
  throwing failure: Failure.Type,
  on queue: DispatchQueue = .global(),
  _ body: (borrowing Jobs<Failure>) -> Void,
  @_inheritActorContext completion: @escaping @isolated(any) @Sendable (Result<Void, Failure>) -> Void
) {
  runJobs(on: queue, body) { result in
    Task { await completion(result) }
  }
}

/// Runs jobs that throw nothing in the background, and then, once, a completion on the actor that it belongs to.
///
/// See the form with errors.
///
/// - Parameters:
///   - queue: Where the jobs run.
///   - body: The scope, which adds jobs.
///   - completion: What to do when all is done. Called once.
public func withJobs(
  on queue: DispatchQueue = .global(),
  _ body: (borrowing Jobs<Never>) -> Void,
  @_inheritActorContext completion: @escaping @isolated(any) @Sendable () -> Void
) {
  runJobs(on: queue, body) { _ in
    Task { await completion() }
  }
}

// MARK: Waiting

/// Runs jobs in the background and waits for them without blocking a thread.
///
/// ```swift
/// let count = try await withJobs(throwing: ImportError.self) { jobs in
///   for file in files {
///     jobs.add { () throws(ImportError) in try store.import(file) }
///   }
///   return files.count
/// }
/// ```
///
/// It is the form with a completion on a queue in all but that: the calling task goes on where it was. When the task is
/// cancelled, it still waits for the jobs, which see `Jobs.isCancelled`.
///
/// - Parameters:
///   - failure: What jobs throw.
///   - queue: Where the jobs run: off the cooperative pool, so that they may block.
///   - body: The scope, which adds jobs. It runs where the caller is, and does not wait.
/// - Returns: What `body` returned.
/// - Throws: The error of the failing job that was added first.
nonisolated(nonsending)
  public func withJobs<R: ~Copyable, Failure: Error>(
    throwing failure: Failure.Type,
    on queue: DispatchQueue = .global(),
    _ body: (borrowing Jobs<Failure>) -> sending R
  ) async throws(Failure) -> sending R
{
  let group = JobGroup<Failure>(on: queue)
  var outcome = Outcome<R, Never>()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      outcome.put(.success(body(Jobs(group: group))))
      group.close { continuation.resume(returning: $0) }
    }
  } onCancel: {
    group.cancel()
  }
  try result.get()
  return outcome.take()
}

/// Runs jobs that throw nothing in the background and waits for them without blocking a thread.
///
/// See the form with errors.
///
/// - Parameters:
///   - queue: Where the jobs run.
///   - body: The scope, which adds jobs.
/// - Returns: What `body` returned.
nonisolated(nonsending)
  public func withJobs<R: ~Copyable>(
    on queue: DispatchQueue = .global(),
    _ body: (borrowing Jobs<Never>) -> sending R
  ) async -> sending R
{
  await withJobs(throwing: Never.self, on: queue, body)
}

// MARK: The scope

private func runJobs<Failure: Error>(
  on queue: DispatchQueue, _ body: (borrowing Jobs<Failure>) -> Void,
  completion: @escaping JobGroup<Failure>.Completion
) {
  let group = JobGroup<Failure>(on: queue)
  body(Jobs(group: group))
  group.close(completion)
}
