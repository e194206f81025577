/// One measurement of one contestant: what its workers did between the opening of the gate and the last one's
/// end.
package struct Round: Sendable, Equatable {
  /// From the opening of the gate to the end of the last batch.
  package let nanoseconds: UInt64
  package let workers: [WorkerRecord]
  /// Whether it stands although the system took a processor away from a thread that should have had one.
  package var isDisturbed = false

  /// - Parameter workers: At least one.
  package init(workers: [WorkerRecord]) {
    guard let start = workers.map(\.started).min(), let end = workers.map(\.finished).max() else {
      preconditionFailure("a round without workers")
    }
    // At least one, so that there is something to divide by.
    nanoseconds = max(1, end - start)
    self.workers = workers
  }

  package var operations: Int {
    workers.reduce(0) { $0 + $1.operations }
  }

  package var nanosecondsPerOperation: Double {
    Double(nanoseconds) / Double(max(1, operations))
  }

  package var millionsPerSecond: Double {
    Double(operations) / Double(nanoseconds) * 1_000
  }

  /// Processor time for one operation: of the whole process where there is one worker, which may have others
  /// work for it; else of the workers' threads.
  package var processorNanosecondsPerOperation: Double {
    let time =
      workers.count == 1
      ? workers[0].usage.processorNanoseconds : workers.reduce(0) { $0 + $1.processorNanoseconds }
    return Double(time) / Double(max(1, operations))
  }

  /// Instructions for one operation; `nil` where nobody counted, or not for all workers.
  package var instructionsPerOperation: Double? {
    let counts = workers.compactMap(\.instructions)
    guard counts.count == workers.count else { return nil }
    return Double(counts.reduce(0, +)) / Double(max(1, operations))
  }

  /// What the batches returned, for one operation: for contests whose contestants count something.
  package var countPerOperation: Double {
    Double(workers.reduce(0) { $0 &+ $1.checksum }) / Double(max(1, operations))
  }

  /// How often a thread of the process went to sleep, and was woken, for one operation; only in a round of
  /// one worker.
  package var sleepsPerOperation: Double {
    Double(workers[0].usage.sleeps) / Double(max(1, operations))
  }

  /// The least over the most operations of a worker: 1 is even, 0 is starvation.
  package var fairness: Double {
    Self.fairness(ofOperations: workers.map(\.operations))
  }

  /// The least over the most; 0 when there are no operations at all.
  static func fairness(ofOperations operations: [Int]) -> Double {
    guard let least = operations.min(), let most = operations.max(), most > 0 else { return 0 }
    return Double(least) / Double(most)
  }

  /// The same of all rounds together, thread by thread; `nil` when there are no rounds.
  static func fairness(ofAll rounds: [Round]) -> Double? {
    guard let workers = rounds.first?.workers.indices else { return nil }
    return fairness(
      ofOperations: workers.map { worker in rounds.reduce(0) { $0 + $1.workers[worker].operations } })
  }

  /// In nanoseconds; only in a round that measures waits.
  package var longestWait: Int {
    workers.map(\.greatestResult).max() ?? 0
  }

  package var involuntarySwitches: Int {
    workers.reduce(0) { $0 + $1.involuntarySwitches }
  }

  /// How many workers began so late that for a twentieth of the round they can't have had a processor.
  package var lateStarts: Int {
    workers.count { $0.began > $0.started && ($0.began - $0.started) * 20 > nanoseconds }
  }

  /// How often a worker had to do without a processor.
  package var disturbances: Int { involuntarySwitches + lateStarts }
}
