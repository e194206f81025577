/// One measurement of one contestant, from the opening of the gate until the last worker has finished.
package struct Round: Sendable, Equatable {
  /// The time from the opening of the gate to the end of the last batch.
  package let nanoseconds: UInt64
  package let workers: [WorkerRecord]
  /// Whether the round counts although one of its threads lost its processor, which it should have had.
  package var isDisturbed = false

  /// Makes a round.
  ///
  /// - Parameter workers: The records of the workers; at least one.
  package init(workers: [WorkerRecord]) {
    guard let start = workers.map(\.started).min(), let end = workers.map(\.finished).max() else {
      preconditionFailure("a round without workers")
    }
    // The time counts as at least one nanosecond, because figures are divided by it.
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

  /// Processor time for one operation, in nanoseconds.
  ///
  /// With one worker it is that of the whole process, because other threads may work for it. Otherwise it is
  /// that of the workers' threads.
  package var processorNanosecondsPerOperation: Double {
    let time =
      workers.count == 1
      ? workers[0].usage.processorNanoseconds : workers.reduce(0) { $0 + $1.processorNanoseconds }
    return Double(time) / Double(max(1, operations))
  }

  /// Instructions for one operation; `nil` if they were not counted for all workers.
  package var instructionsPerOperation: Double? {
    let counts = workers.compactMap(\.instructions)
    guard counts.count == workers.count else { return nil }
    return Double(counts.reduce(0, +)) / Double(max(1, operations))
  }

  /// The sum of the batches' results for one operation, for contests that count something.
  package var countPerOperation: Double {
    Double(workers.reduce(0) { $0 &+ $1.checksum }) / Double(max(1, operations))
  }

  /// How often a thread of the process slept and was woken, for one operation; only in a round of one worker.
  package var sleepsPerOperation: Double {
    Double(workers[0].usage.sleeps) / Double(max(1, operations))
  }

  /// The ratio of the least to the most operations of a worker: 1 is even, 0 is starvation.
  package var fairness: Double {
    Self.fairness(ofOperations: workers.map(\.operations))
  }

  /// The ratio of the least to the greatest number; 0 if all are 0.
  static func fairness(ofOperations operations: [Int]) -> Double {
    guard let least = operations.min(), let most = operations.max(), most > 0 else { return 0 }
    return Double(least) / Double(most)
  }

  /// The fairness over all rounds together, thread by thread; `nil` when there are no rounds.
  static func fairness(ofAll rounds: [Round]) -> Double? {
    guard let workers = rounds.first?.workers.indices else { return nil }
    return fairness(
      ofOperations: workers.map { worker in rounds.reduce(0) { $0 + $1.workers[worker].operations } })
  }

  /// The longest wait in nanoseconds, in a round that measures waits.
  package var longestWait: Int {
    workers.map(\.greatestResult).max() ?? 0
  }

  package var involuntarySwitches: Int {
    workers.reduce(0) { $0 + $1.involuntarySwitches }
  }

  /// How many workers began so late that they had no processor for at least a twentieth of the round.
  package var lateStarts: Int {
    workers.count { $0.began > $0.started && ($0.began - $0.started) * 20 > nanoseconds }
  }

  /// How often a worker had no processor.
  package var disturbances: Int { involuntarySwitches + lateStarts }
}
