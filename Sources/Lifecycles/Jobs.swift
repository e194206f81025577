/// What a `withJobs` scope and the jobs in it add jobs to.
///
/// It can't be copied and is only ever lent: to the scope, and to each job while it runs. So nobody can keep it and add a job to
/// a group that has been completed.
public struct Jobs<Failure: Error>: ~Copyable, Sendable {
  let group: JobGroup<Failure>

  /// Adds a job; it begins as soon as fewer jobs of the group run than the machine has processors, after those
  /// that were added before.
  ///
  /// Never waits for a job.
  ///
  /// - Parameter job: What to do, once, on the group's queue. It may add jobs itself. It need not be `@Sendable`, because nobody
  ///   else runs it; in Swift 6 mode the compiler refuses what it shares with others. What it throws does not stop others, see
  ///   `isCancelled`. It must not wait for another job of its group, which might never begin.
  /// - Complexity: O(1), amortised.
  public borrowing func add(
    _ job: sending @escaping (borrowing Jobs<Failure>) throws(Failure) -> Void
  ) {
    group.add(JobGroup.Job(body: job))
  }

  /// Adds a job that adds none itself; see the other form.
  ///
  /// - Parameter job: What to do, once, on the group's queue.
  public borrowing func add(_ job: sending @escaping () throws(Failure) -> Void) {
    group.add(JobGroup.Job { (_) throws(Failure) in try job() })
  }

  /// Whether what is left to do is not wanted any more: a job has thrown, or the task that waits for the group has been
  /// cancelled.
  ///
  /// Jobs run nevertheless; a long one looks from time to time, and returns. Never blocks.
  public var isCancelled: Bool { group.isCancelled }
}
