internal import BenchmarkHarness

/// The heap memory of a thread that has done some work, while the thread lives.
final class ThreadMemory: @unchecked Sendable {
  // Sound, and `Sendable`: `lazy` is not synchronised, but only one worker of the harness reads it.

  /// The number of threads: large enough that memory of ended threads, which is reused, does not matter.
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
