internal import BenchmarkHarness
internal import Protectors

/// Threads that have read a protector once, and then sleep.
final class Crowd: Sendable {
  private static let place = Protector(0)

  /// The threads of all crowds.
  ///
  /// They live until the process ends, so a crowd only adds missing ones.
  private static let pools = Protector<[WorkerPool]>([])

  private let threads: Int

  init(threads: Int) {
    self.threads = threads
  }

  /// Starts the missing threads.
  func gather() {
    let isComplete = Self.pools.withReadLock { $0.reduce(0) { $0 + $1.count } >= threads }
    if isComplete { return }
    Self.pools.withWriteLock { pools in
      let missing = threads - pools.reduce(0) { $0 + $1.count }
      guard missing > 0 else { return }
      let pool = WorkerPool(count: missing)
      pool.run(on: missing) { _ in Self.place.withReadLock { _ in } }
      pools.append(pool)
    }
  }
}
