public import Dispatch
internal import InterlockCore
internal import InterlockWaits

// MARK: A completion

/// Runs jobs in the background, and then, once, a completion that gets an error of the jobs.
///
/// ```swift
/// withJobs { (jobs: borrowing JobScope<ImportError>) in
///   for file in files {
///     jobs.add { () throws(ImportError) in try store.import(file) }
///   }
/// } completion: { @MainActor result in
///   store.finishImport(result)
/// }
/// ```
///
/// The scope, `body`, runs immediately on the calling thread and adds the jobs. Jobs may begin while the
/// scope still runs, and may add other jobs. The completion runs after the scope and all jobs have ended,
/// even if there were no jobs. The scope and each job borrow a noncopyable handle, `JobScope`, to add jobs.
/// They can't keep it, so no job can be added to a completed group.
///
/// - **Threads**: at most `maxConcurrentJobs` jobs run at a time, by default as many as the machine has
///   processors. A blocked job counts as running, so pass a greater number for jobs that wait for files or for
///   the network. Jobs run on threads that no pool has, so they may block. Later calls use these threads again, which end
///   after a second without jobs: what a job changes on its thread, such as a name or a priority, may stay. A queue that
///   was passed may run fewer jobs, and one of libdispatch shares its threads with the pool that runs tasks: there,
///   blocked jobs keep tasks from running.
/// - **Task-local values**: jobs and completion see none, nor the cancellation of a task, for which jobs have
///   `JobScope.isCancelled`.
/// - **Signals**: a job has the signal mask of the thread that called for its thread. On Linux, a task's jobs have the main thread's instead
///   of the pool's, which blocks all signals: the one at the start of their thread, which may be that of an earlier call.
///   So have processes that jobs start.
/// - **Order**: jobs are taken in the order in which they were added; several that run at a time begin in any. When the completion runs, it sees
///   everything that jobs did, and the jobs and their captures have been released.
/// - **Errors**: a job that throws does not stop other jobs, which can check `JobScope.isCancelled`. The
///   completion gets one error: that of the failing job that was added first, even if another job failed
///   earlier. The type of the errors follows from the jobs, or from the scope's parameter:
///   `{ (jobs: borrowing JobScope<ImportError>) in … }`.
/// - **Quality of service**: on systems that have it, jobs run with the quality of service of `queue`. If
///   the queue has none, a job runs with that of the thread that adds it. Without a queue, jobs run with the
///   system's default.
/// - **Blocking**: none. Apart from the scope's own work, it returns immediately.
/// - **Deadlocks it permits**: a job that waits for another job of its group.
/// - **The completion's place**: its actor's executor, in a task of its own. A completion without an actor runs on the
///   cooperative pool. For a queue, let it write `queue.async { … }`.
///
/// - Parameters:
///   - queue: The queue of the jobs; `nil` for threads of their own. On a serial queue they run one after the
///     other.
///   - maxConcurrentJobs: The maximum number of jobs that run at a time. `nil` stands for the number of
///     processors. A number below 1 traps.
///   - body: The scope, which adds jobs.
///   - completion: Called once, after all jobs have ended.
/// - Complexity: A thread for each job that runs at the same time, unless there are idle ones, or a work item of the queue
///   for each job.
public func withJobs<Failure: Error>(
  on queue: DispatchQueue? = nil,
  maxConcurrentJobs: Int? = nil,
  _ body: (borrowing JobScope<Failure>) -> Void,
  @_inheritActorContext completion: @escaping @isolated(any) @Sendable (Result<Void, Failure>) -> Void
) {
  let completion = ClosureHolder(Completion(run: completion))
  runJobs(on: queue, maxConcurrentJobs, body) { result in
    // The thread may be that of a task, whose values a job's thread would not pass on.
    Task.detached { await completion.end(with: result) }
  }
}

/// Runs jobs that don't throw in the background, and then, once, a completion.
///
/// ```swift
/// withJobs { jobs in
///   for image in images { jobs.add { cache.render(image) } }
/// } completion: { @MainActor in
///   view.reload()
/// }
/// ```
///
/// In all other respects it acts as the function whose completion gets an error.
///
/// - Parameters:
///   - queue: The queue of the jobs; `nil` for threads of their own.
///   - maxConcurrentJobs: The maximum number of jobs that run at a time; by default, the number of
///     processors.
///   - body: The scope, which adds jobs.
///   - completion: Called once, after all jobs have ended.
public func withJobs(
  on queue: DispatchQueue? = nil,
  maxConcurrentJobs: Int? = nil,
  _ body: (borrowing JobScope<Never>) -> Void,
  @_inheritActorContext completion: @escaping @isolated(any) @Sendable () -> Void
) {
  let completion = ClosureHolder(PlainCompletion(run: completion))
  runJobs(on: queue, maxConcurrentJobs, body) { _ in
    Task.detached { await completion.end(with: ()) }
  }
}

private struct Completion<Failure: Error>: IsolatedClosure {
  let run: @isolated(any) @Sendable (Result<Void, Failure>) -> Void

  var isolation: (any Actor)? { run.isolation }

  func call(with result: Result<Void, Failure>, isolation: isolated (any Actor)?) async {
    await run(result)
  }
}

private struct PlainCompletion: IsolatedClosure {
  let run: @isolated(any) @Sendable () -> Void

  var isolation: (any Actor)? { run.isolation }

  func call(with end: Void, isolation: isolated (any Actor)?) async { await run() }
}

// MARK: Waiting

/// Runs jobs in the background and waits for them without blocking a thread.
///
/// ```swift
/// let count = try await withJobs { jobs in
///   for file in files {
///     jobs.add { () throws(ImportError) in try store.import(file) }
///   }
///   return files.count
/// }
/// ```
///
/// It acts as the function whose completion gets an error,
/// except that the calling task waits for the jobs. A task that is cancelled still waits, but the jobs'
/// `JobScope.isCancelled` becomes `true`: immediately, or at the end of the scope if the task is cancelled while the
/// scope runs.
///
/// - **Wait**: it ends with the last job; a cancelled task waits on, and jobs see that; no timeout; one caller alone; no priority
///   is lent; a throw is that of a job, after all have ended.
///
/// - Parameters:
///   - queue: The queue of the jobs; `nil` for threads of their own, on which jobs may block.
///   - maxConcurrentJobs: The maximum number of jobs that run at a time; by default, the number of
///     processors.
///   - isolation: The caller's isolation.
///   - body: The scope, which adds jobs. It runs synchronously on the caller's actor, before the task first
///     suspends.
/// - Returns: The result of `body`.
/// - Throws: The error of the failing job that was added first.
public func withJobs<R: ~Copyable, Failure: Error>(
  on queue: DispatchQueue? = nil,
  maxConcurrentJobs: Int? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (borrowing JobScope<Failure>) -> sending R
) async throws(Failure) -> sending R {
  try await runJobsAndWait(on: queue, maxConcurrentJobs, body)
}

// For the compiler (6.3.1), which finds `Never` itself only if a first statement adds a job.

/// Runs jobs that don't throw in the background and waits for them without blocking a thread.
///
/// In all other respects it acts as the function whose jobs may throw.
///
/// - Parameters:
///   - queue: The queue of the jobs; `nil` for threads of their own.
///   - maxConcurrentJobs: The maximum number of jobs that run at a time; by default, the number of
///     processors.
///   - isolation: The caller's isolation.
///   - body: The scope, which adds jobs.
/// - Returns: The result of `body`.
public func withJobs<R: ~Copyable>(
  on queue: DispatchQueue? = nil,
  maxConcurrentJobs: Int? = nil,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (borrowing JobScope<Never>) -> sending R
) async -> sending R {
  await runJobsAndWait(on: queue, maxConcurrentJobs, body)
}

// MARK: The scope

private func runJobs<Failure: Error>(
  on queue: DispatchQueue?, _ maxConcurrentJobs: Int?, _ body: (borrowing JobScope<Failure>) -> Void,
  completion: @escaping @Sendable (Result<Void, Failure>) -> Void
) {
  let group = JobGroup(on: queue, limit: maxConcurrentJobs)
  body(JobScope(group: group))
  group.close { completion(typed($0)) }
}

private func runJobsAndWait<R: ~Copyable, Failure: Error>(
  on queue: DispatchQueue?, _ maxConcurrentJobs: Int?, isolation: isolated (any Actor)? = #isolation,
  _ body: (borrowing JobScope<Failure>) -> sending R
) async throws(Failure) -> sending R {
  let group = JobGroup(on: queue, limit: maxConcurrentJobs)
  if Task.isCancelled { group.cancel() }
  let value = body(JobScope(group: group))
  let waiter = TaskWaiter()
  group.close { _ in waiter.resume() }
  // A cancelled task waits for its jobs, too.
  _ = await waiter.wait { group.cancel() }
  let result: Result<Void, Failure> = typed(group.result)
  try result.get()
  return value
}

/// The result of a group whose jobs throw `Failure` only.
private func typed<Failure: Error>(_ result: Result<Void, any Error>) -> Result<Void, Failure> {
  result.mapError { $0 as! Failure }
}
