internal import CBenchmarkCounters
internal import Synchronization

/// The state that the workers of a round share: whether the round is over, and how far each worker has come.
///
/// The first worker that completes a batch after the planned time ends the round for all. The others complete
/// the batches that they are in. The workers run different numbers of batches. A batch must therefore never
/// wait for another worker, which may already have stopped.
package final class RoundState: Sendable {
  private let isOver = IsolatedBox(Atomic(false))
  private let states: [IsolatedBox<Worker>]
  /// The word that `text` uses for one repetition of the workers' job, such as "batch".
  private let work: String

  /// How far a worker has come.
  private struct Worker: ~Copyable {
    /// The number of batches that the worker has begun; -1 after the worker's last batch.
    let batch = Atomic(0)
    /// The kernel's number of the worker's thread; 0 before the worker starts, and always on systems other
    /// than Linux.
    let thread = Atomic(0)
  }

  /// Makes the state of a round that has not begun.
  ///
  /// - Parameters:
  ///   - workers: The number of workers.
  ///   - work: The word that `text` uses for one repetition of the workers' job.
  package init(workers: Int, of work: String = "batch") {
    self.work = work
    states = (0..<workers).map { _ in IsolatedBox(Worker()) }
  }

  // MARK: For the workers

  /// Records which thread runs the worker; must be called on that thread.
  func start(_ worker: Int) {
    states[worker].pointer.pointee.thread.store(Int(benchmark_thread()), ordering: .relaxed)
  }

  /// Records that a worker begins a batch; the first batch has the number 1.
  func begin(batch: Int, _ worker: Int) {
    states[worker].pointer.pointee.batch.store(batch, ordering: .relaxed)
  }

  /// Records that a worker has completed its last batch.
  func finish(_ worker: Int) {
    states[worker].pointer.pointee.batch.store(-1, ordering: .relaxed)
  }

  /// Whether the round is over, because its time has passed or another worker has ended it.
  ///
  /// - Parameter hasPassed: Whether the planned time has passed; if so, the round ends for all workers.
  func isOver(hasPassed: Bool) -> Bool {
    if hasPassed { end() }
    return isOver.pointer.pointee.load(ordering: .relaxed)
  }

  // MARK: For the session

  /// Ends the round: each worker stops after the batch that it is in.
  func end() {
    isOver.pointer.pointee.store(true, ordering: .relaxed)
  }

  /// The progress of each worker, for a message: "worker 0 has finished, worker 1 is in batch 7".
  var text: String {
    states.indices.map { worker in
      let state = states[worker].pointer
      let batch = state.pointee.batch.load(ordering: .relaxed)
      let words =
        switch batch {
        case 0: "has not begun"
        case -1: "has finished"
        default: "is in \(work) \(batch)"
        }
      let thread = state.pointee.thread.load(ordering: .relaxed)
      let doing = batch > 0 && thread != 0 ? Platform.state(ofThread: thread) : nil
      return "worker \(worker) \(words)" + (doing.map { " and \($0)" } ?? "")
    }.joined(separator: ", ")
  }
}
