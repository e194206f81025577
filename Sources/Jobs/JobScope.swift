/// The handle with which a `withJobs` scope and its jobs add jobs.
///
/// It is noncopyable, and borrowed by the scope and by each job while it runs. So no code can keep it and add
/// a job to a completed group. A job that adds jobs gets a scope of its own: `jobs.add { jobs in … }`. One that
/// captures the outer scope is refused; the compiler of Swift 6.3 crashes instead, unless that scope's type is written
/// (`(jobs: borrowing JobScope<Never>) in`).
public struct JobScope<Failure: Error>: ~Copyable, Sendable {
  let group: JobGroup

  /// Adds a job.
  ///
  /// The job begins after all earlier jobs have begun, as soon as fewer than `maxConcurrentJobs` jobs of
  /// the group are running. The default of this limit is the number of processors.
  ///
  /// The call never waits for a job.
  ///
  /// - Parameter job: Runs once, on the group's queue or a thread of the group. It may add jobs itself. It need not be `@Sendable`,
  ///   because only the group runs it; in Swift 6 mode the compiler refuses captures that other code uses. An
  ///   error does not stop other jobs, see `isCancelled`. The job must not wait for another job of its group,
  ///   which might never begin.
  /// - Complexity: O(1), amortised.
  public borrowing func add(
    _ job: sending @escaping (borrowing JobScope<Failure>) throws(Failure) -> Void
  ) {
    group.add(
      JobGroup.Job { group in
        do throws(Failure) {
          try job(JobScope(group: group))
          return nil
        } catch {
          return error
        }
      })
  }

  /// Adds a job that does not add further jobs.
  ///
  /// In all other respects it acts as the other `add(_:)`, whose job gets a `JobScope` to add jobs.
  ///
  /// - Parameter job: Runs once, on the group's queue or a thread of the group.
  public borrowing func add(_ job: sending @escaping () throws(Failure) -> Void) {
    group.add(
      JobGroup.Job { _ in
        do throws(Failure) {
          try job()
          return nil
        } catch {
          return error
        }
      })
  }

  /// Whether the remaining work is no longer wanted: a job has thrown, or the task that waits for the group
  /// was cancelled.
  ///
  /// Jobs run nevertheless. A long job should check this from time to time, and return early. Never blocks.
  public var isCancelled: Bool { group.isCancelled }
}
