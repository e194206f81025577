internal import InterlockCore
internal import InterlockWaits

/// The state of a group of jobs: which jobs wait and run, and which failed.
///
/// It is a value, without threads, locks or queues. The *scope* below is the body of `withJobs`.
///
/// Each operation returns an action for the caller to take after it has released the group's lock.
///
/// # Invariants
/// 1. `unfinished` is the number of jobs that were added and have not ended: those in `waiting`, and those
///    that run.
/// 2. A work item begins one job and ends it: an item of a queue, or a round of a thread. The group has as many
///    of them, waiting or running, as the lesser of `limit` and `unfinished`. So a work item that begins always
///    finds a job. A work item that ends must be replaced if and only if at least `limit` jobs are left.
/// 3. `close` is called once. The group is complete when `close` was called and `unfinished` is 0. Only
///    jobs and the scope add jobs, so no job is added later. Either `close` or the end of the last job
///    comes last, and finds the group complete. So completion is reported once.
struct JobGroupState<Job: Sendable, Failure: Error>: Sendable {
  private let limit: Int
  private var unfinished = 0
  private var added = 0
  private var isOpen = true
  private var waiting = FirstInFirstOut<NumberedJob>()
  private var failure: (number: Int, error: Failure)?

  /// A job with its number in the order in which jobs were added, beginning with 1.
  struct NumberedJob: Sendable {
    let number: Int
    let job: Job
  }

  /// The action for the caller to take.
  enum Action {
    case nothing
    /// Begin another work item.
    case startWork
    /// Run the completion with this result.
    case complete(Result<Void, Failure>)
  }

  /// Makes a group without jobs.
  ///
  /// - Parameter limit: The maximum number of jobs that run at a time.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a job.
  ///
  /// The caller must be the body of `withJobs` or a running job, so that the group is not complete yet.
  ///
  /// - Returns: `startWork` if the caller must begin a work item, otherwise `nothing`.
  mutating func add(_ job: Job) -> Action {
    added += 1
    waiting.append(NumberedJob(number: added, job: job))
    unfinished += 1
    return unfinished <= limit ? .startWork : .nothing
  }

  /// Removes and returns the job that has waited for longest, for the calling work item to run; traps if no
  /// job waits.
  mutating func begin() -> NumberedJob {
    waiting.removeFirst()!
  }

  /// Records that the job with the given number has ended, and its error if it threw one; returns the
  /// caller's next action.
  ///
  /// An error that is not kept is left in `error`: the caller must destroy it after it has released the lock.
  mutating func end(_ number: Int, _ error: inout Failure?) -> Action {
    if let new = error, failure.map({ number < $0.number }) ?? true {
      error = failure?.error
      failure = (number, new)
    }
    unfinished -= 1
    return unfinished >= limit ? .startWork : completeIfDone()
  }

  /// Records that the scope has ended; returns the caller's next action.
  mutating func close() -> Action {
    isOpen = false
    return completeIfDone()
  }

  private func completeIfDone() -> Action {
    guard unfinished == 0, !isOpen else { return .nothing }
    return .complete(result)
  }

  /// The failure of the job that was added first among the failed ones; `success` if no job has failed so
  /// far.
  var result: Result<Void, Failure> { failure.map { .failure($0.error) } ?? .success(()) }
}
