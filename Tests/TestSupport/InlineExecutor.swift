import Exploration

/// An executor that runs each job on the thread that enqueues it, before `enqueue` returns; between `hold` and
/// `release` it runs none.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class InlineExecutor: TaskExecutor {
  private let held = Monitor<[UnownedJob]?>(nil)

  package init() {}

  package func hold() { held.enter { $0 = [] } }

  package func release() {
    let jobs = held.enter { $0.take() } ?? []
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  package func enqueue(_ job: UnownedJob) {
    let isHeld = held.enter { jobs in
      jobs?.append(job)
      return jobs != nil
    }
    if !isHeld { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
