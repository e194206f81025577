internal import Dispatch
internal import PlatformLocks
internal import Protectors
internal import ReadWriteLocks
internal import UnfairLocks

/// The jobs of one `withJobs` scope, on a queue.
///
/// A job is one piece of work of the queue, and an ended one puts the next on it, so that other work of the queue has its
/// turn between jobs. What happens when is `JobGroupState`'s to say; here it is put behind a lock, and what it says is done
/// outside the lock. Jobs and results pass through the lock, whose order ThreadSanitizer sees.
final class JobGroup<Failure: Error>: Sendable {
  /// What a job is inside the group.
  ///
  /// Sendable: a closure passed as `sending` belongs to the group alone, which calls it once, on one thread.
  struct Job: @unchecked Sendable {
    let body: (borrowing Jobs<Failure>) throws(Failure) -> Void
  }

  typealias Completion = @Sendable (Result<Void, Failure>) -> Void

  private struct State: Sendable {
    var jobs: JobGroupState<Job, Failure>
    /// From the end of the scope on.
    var completion: Completion?
  }

  private let queue: DispatchQueue
  private let state: ExclusiveProtector<State>
  private let cancelled = LockWord()

  init(on queue: DispatchQueue) {
    self.queue = queue
    state = ExclusiveProtector(State(jobs: JobGroupState(limit: Processors.count)))
  }

  /// Whether what is left to do is not wanted any more.
  ///
  /// Relaxed: it tells of nothing but itself.
  var isCancelled: Bool { cancelled.loadRelaxed() != 0 }

  func cancel() {
    cancelled.storeRelaxed(1)
  }

  func add(_ job: Job) {
    perform(state.withWriteLock { $0.jobs.add(job) })
  }

  /// Ends the scope: as soon as no job is left, `completion` is called, once, on the thread that has found that.
  func close(_ completion: @escaping Completion) {
    perform(
      state.withWriteLock { state in
        state.completion = completion
        return state.jobs.close()
      })
  }

  /// A piece of the queue's work: one job.
  private func work() {
    let next = state.withWriteLock { $0.jobs.begin() }
    let number = next.number
    // The job, with all it captured, is gone before its end is reported: before the completion runs.
    let error = Self.run(consume next, Jobs(group: self))
    if error != nil { cancel() }
    perform(state.withWriteLock { $0.jobs.end(number, error) })
  }

  private static func run(
    _ next: consuming JobGroupState<Job, Failure>.NumberedJob, _ jobs: borrowing Jobs<Failure>
  ) -> Failure? {
    do throws(Failure) {
      try next.job.body(jobs)
      return nil
    } catch {
      return error
    }
  }

  private func perform(_ action: JobGroupState<Job, Failure>.Action) {
    switch action {
    case .nothing: break
    case .startWork: queue.async { self.work() }
    case .complete(let result):
      let completion = state.withWriteLock { $0.completion.take()! }
      completion(result)
    }
  }
}
