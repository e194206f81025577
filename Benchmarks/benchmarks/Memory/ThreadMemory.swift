internal import BenchmarkHarness

/// Measures the heap memory of a living thread that has done some work.
final class ThreadMemory: @unchecked Sendable {
  // `ThreadMemory` is `@unchecked Sendable`, which is sound: only one worker of the harness reads the `lazy`
  // property `bytesOfThread`, whose initialisation is not synchronised.

  /// The number of threads whose memory is measured together; the result is the average.
  ///
  /// A few of the threads may reuse the memory of ended threads. With 64 threads, this hardly changes the
  /// average.
  private static let count = 64

  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  private(set) lazy var bytesOfThread: Int = {
    var pool: WorkerPool?
    let work = self.work
    let use = HeapUse {
      let threads = WorkerPool(count: Self.count)
      threads.run(on: Self.count) { _ in work() }
      pool = threads
    }
    _ = pool
    return use.bytes / Self.count
  }()
}
