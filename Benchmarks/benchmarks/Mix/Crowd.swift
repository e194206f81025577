internal import BenchmarkHarness
internal import Protectors

/// A crowd of idle threads, each of which has read a protector once and has slept since then.
final class Crowd: Sendable {
  private static let shared = Protector(0)

  /// The threads of all crowds.
  ///
  /// Threads live until the process ends, so each crowd uses the threads of earlier crowds, and starts only
  /// the missing ones.
  private static let pools = Protector<[WorkerPool]>([])

  private let threads: Int

  init(threads: Int) {
    self.threads = threads
  }

  /// Starts the threads that this crowd still lacks, and waits until each of them has read a protector once.
  func gather() {
    let isComplete = Self.pools.withReadLock { $0.reduce(0) { $0 + $1.count } >= threads }
    if isComplete { return }
    Self.pools.withWriteLock { pools in
      let missing = threads - pools.reduce(0) { $0 + $1.count }
      guard missing > 0 else { return }
      let pool = WorkerPool(count: missing)
      pool.run(on: missing) { _ in Self.shared.withReadLock { _ in } }
      pools.append(pool)
    }
  }
}
