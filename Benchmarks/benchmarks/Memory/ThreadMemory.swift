internal import BenchmarkHarness

/// What a thread that did something has on the heap as long as it lives.
final class ThreadMemory: @unchecked Sendable {
  // Sendable: `lazy` is not synchronised, and the harness's one worker is the only one to ask.

  /// More than ended threads may have left something behind for.
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
