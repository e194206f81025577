internal import Dispatch
internal import InterlockCore
internal import Protectors
internal import UnfairLocks

/// The jobs of one `withJobs` scope, on a queue or on threads of their own.
///
/// On a queue, each job is one work item. A job that ends enqueues the next, so other work of the queue can run
/// between jobs. A thread of `JobThreads` runs one job after another instead, until none waits.
/// `JobGroupState` decides, under a lock, when to begin another job or to call the completion. This object then
/// does it outside the lock. Threads pass jobs and results to each other under the lock, so that ThreadSanitizer
/// sees the order.
///
/// It does not know the type of the errors: generic code that is not specialized takes longer than short jobs.
final class JobGroup: Sendable {
  /// A job of the group, which returns its error.
  ///
  /// `@unchecked Sendable` is sound: the closure was passed as `sending`, so only the group refers to it. The
  /// group calls it once, on one thread.
  struct Job: @unchecked Sendable {
    let body: (JobGroup) -> (any Error)?
  }

  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private struct State: Sendable {
    var jobs: JobGroupState<Job, any Error>
    /// The closure that was passed to `close`; `nil` before `close` and once the closure is being called.
    var completion: Completion?
  }

  private let queue: DispatchQueue?
  private let state: ExclusiveProtector<State>
  private let cancelled = LockWord()

  /// Makes a group without jobs.
  ///
  /// - Parameters:
  ///   - queue: The queue of the jobs; `nil` for threads of their own.
  ///   - limit: The maximum number of jobs that run at a time. `nil` stands for the number of processors.
  init(on queue: DispatchQueue?, limit: Int?) {
    if let limit, limit < 1 {
      misuse("withJobs", "called with maxConcurrentJobs: \(limit)", "pass a number greater than 0")
    }
    self.queue = queue
    state = ExclusiveProtector(State(jobs: JobGroupState(limit: limit ?? Processors.count)))
  }

  /// Whether the remaining work is no longer wanted.
  ///
  /// The load is relaxed, because the flag publishes no other data.
  var isCancelled: Bool { cancelled.loadRelaxed() != 0 }

  /// The result of the jobs, which is final only after the completion has been called.
  var result: Result<Void, any Error> { state.withLock { $0.jobs.result } }

  func cancel() {
    cancelled.storeRelaxed(1)
  }

  func add(_ job: Job) {
    perform(state.withLock { $0.jobs.add(job) })
  }

  /// Records that the scope, the body of `withJobs`, has ended.
  ///
  /// `completion` is called once, as soon as all jobs have ended too: on this thread if no job is left,
  /// otherwise on the thread of the last job.
  func close(_ completion: @escaping Completion) {
    perform(
      state.withLock { state in
        state.completion = completion
        return state.jobs.close()
      })
  }

  /// Runs one job; returns the next action.
  private func work() -> JobGroupState<Job, any Error>.Action {
    let next = state.withLock { $0.jobs.begin() }
    let number = next.number
    // The job and its captures are destroyed before its end is recorded, and so before the completion runs.
    var error = run(consume next)
    if error != nil { cancel() }
    return state.withLock { $0.jobs.end(number, &error) }
  }

  /// The work of a thread for the group.
  private func workWhileJobsWait() {
    while true {
      let action = work()
      guard case .startWork = action else { return perform(action) }
    }
  }

  private func run(_ next: consuming JobGroupState<Job, any Error>.NumberedJob) -> (any Error)? {
    next.job.body(self)
  }

  private func perform(_ action: JobGroupState<Job, any Error>.Action) {
    switch action {
    case .nothing: break
    case .startWork:
      if let thread = ExploredThreads.current {
        // Explored threads run jobs concurrently, so they can't replace a queue, which may be serial.
        if queue != nil { thread.trap("withJobs is explored without a queue only") }
        thread.startThread { self.workWhileJobsWait() }
        return
      }
      if let queue {
        queue.async { self.perform(self.work()) }
      } else if !JobThreads.shared.run({ self.workWhileJobsWait() }) {
        // Untested: the system would have to run out of threads. A thread that exists runs the job later.
        DispatchQueue.global().async { self.workWhileJobsWait() }
      }
    case .complete(let result):
      let completion = state.withLock { $0.completion.take()! }
      completion(result)
    }
  }
}
