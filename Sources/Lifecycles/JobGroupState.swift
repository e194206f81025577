/// What a group of jobs has to do, is doing and has done: a value, without threads, locks or queues.
///
/// Its operations return what their caller has to do, after it has let the group's lock go.
///
/// # Invariants
/// 1. `unfinished` jobs were added and have not ended: those in `waiting`, and those that have begun.
/// 2. Of pieces of work, each of which begins one job and ends it, the smaller of `limit` and `unfinished` are on the
///    group's queue or running there. So a piece of work that begins finds a job waiting, and one that ends leaves the others
///    too few exactly when `limit` or more jobs are left.
/// 3. `close` is called once. The group is complete when it has been called and `unfinished` is 0. Since only jobs and the
///    scope add jobs, none comes later, and of `close` and the end of the last job the later one finds that, alone: completion
///    is reported once.
struct JobGroupState<Job: Sendable, Failure: Error>: Sendable {
  private let limit: Int
  private var unfinished = 0
  private var added = 0
  private var isOpen = true
  private var waiting = FirstInFirstOut<NumberedJob>()
  /// Of all failures so far the one of the job that was added first.
  private var failure: (number: Int, error: Failure)?

  /// A job with its place in the order in which jobs were added, from 1 on.
  struct NumberedJob: Sendable {
    let number: Int
    let job: Job
  }

  /// What follows.
  enum Action {
    case nothing
    /// Put another piece of work on the queue.
    case startWork
    /// Run the completion with this result.
    case complete(Result<Void, Failure>)
  }

  /// - Parameter limit: How many jobs may run at a time.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a job; called by the scope or by a running job, so before completion.
  mutating func add(_ job: Job) -> Action {
    added += 1
    waiting.append(NumberedJob(number: added, job: job))
    unfinished += 1
    return unfinished <= limit ? .startWork : .nothing
  }

  /// A piece of work begins with the job that has waited for longest.
  mutating func begin() -> NumberedJob {
    waiting.removeFirst()!
  }

  /// A piece of work has ended its job.
  mutating func end(_ number: Int, _ error: Failure?) -> Action {
    if let error, failure.map({ number < $0.number }) ?? true { failure = (number, error) }
    unfinished -= 1
    return unfinished >= limit ? .startWork : completeIfDone()
  }

  /// The scope has ended.
  mutating func close() -> Action {
    isOpen = false
    return completeIfDone()
  }

  private func completeIfDone() -> Action {
    guard unfinished == 0, !isOpen else { return .nothing }
    return .complete(failure.map { .failure($0.error) } ?? .success(()))
  }
}
