/// An executor that runs each job on the thread that enqueues it, before `enqueue` returns.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class InlineExecutor: TaskExecutor {
  package init() {}

  package func enqueue(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
