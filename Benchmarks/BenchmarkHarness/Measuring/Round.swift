/// One measurement of one implementation, from the common start of its workers until the last one has
/// finished.
package struct Round: Sendable, Equatable {
  /// The time from the common start of the workers to the end of the last batch that counts.
  package let nanoseconds: UInt64
  package let workers: [WorkerRecord]
  /// The number of workers whose operations don't count (see `Contest.attendants`); they are the last ones in
  /// `workers`.
  private let attendants: Int
  /// Whether a thread of the round lost its processor, or got one late, although there were enough processors
  /// for all threads.
  package var isDisturbed = false

  /// Makes a round.
  ///
  /// - Parameters:
  ///   - workers: The records of the workers.
  ///   - attendants: The number of workers whose operations don't count. They must be the last ones in
  ///     `workers`. At least one other worker must precede them, or the program traps.
  package init(workers: [WorkerRecord], attendants: Int = 0) {
    let counted = workers.dropLast(attendants)
    guard let start = counted.map(\.started).min(), let end = counted.map(\.finished).max() else {
      preconditionFailure("a round without workers")
    }
    // A time of 0 becomes one nanosecond, because other figures are divided by the time.
    nanoseconds = max(1, end - start)
    self.workers = workers
    self.attendants = attendants
  }

  /// The workers whose operations count.
  private var counted: ArraySlice<WorkerRecord> { workers.dropLast(attendants) }

  package var operations: Int {
    counted.reduce(0) { $0 + $1.operations }
  }

  /// The average number of operations of the workers whose operations count.
  var operationsPerWorker: Int { operations / counted.count }

  package var nanosecondsPerOperation: Double {
    Double(nanoseconds) / Double(max(1, operations))
  }

  package var millionsPerSecond: Double {
    Double(operations) / Double(nanoseconds) * 1_000
  }

  /// The processor time for one operation, in nanoseconds.
  ///
  /// A round with one worker counts the processor time of the whole process, because the worker may use other
  /// threads. A round with several workers counts the processor time of the threads whose operations count.
  package var processorNanosecondsPerOperation: Double {
    let time =
      workers.count == 1
      ? workers[0].usage.processorNanoseconds : counted.reduce(0) { $0 + $1.processorNanoseconds }
    return Double(time) / Double(max(1, operations))
  }

  /// Instructions for one operation; `nil` if they are unknown for a worker whose operations count.
  package var instructionsPerOperation: Double? {
    let counts = counted.compactMap(\.instructions)
    guard counts.count == counted.count else { return nil }
    return Double(counts.reduce(0, +)) / Double(max(1, operations))
  }

  /// The average number of bytes or allocations for one operation, if the batches return such counts.
  ///
  /// With other batches, the figure has no meaning.
  package var countPerOperation: Double {
    Double(counted.reduce(0) { $0 &+ $1.checksum }) / Double(max(1, operations))
  }

  /// The number of times that the threads of the process slept, divided by the operations.
  ///
  /// The figure is only valid for a round with one worker.
  package var sleepsPerOperation: Double {
    Double(workers[0].usage.sleeps) / Double(max(1, operations))
  }

  /// The operations of the slowest worker divided by those of the fastest: 1 is fair, 0 means that a worker
  /// starved.
  package var fairness: Double {
    Self.fairness(ofOperations: counted.map(\.operations))
  }

  /// The least of the numbers divided by the greatest; 0 if all numbers are 0.
  static func fairness(ofOperations operations: [Int]) -> Double {
    guard let least = operations.min(), let most = operations.max(), most > 0 else { return 0 }
    return Double(least) / Double(most)
  }

  /// The `fairness` of all rounds together; `nil` if there are no rounds.
  ///
  /// Each worker's operations in all rounds are added up. The result is the least sum divided by the
  /// greatest, or 0 if all sums are 0.
  static func fairness(ofAll rounds: [Round]) -> Double? {
    guard let workers = rounds.first?.counted.indices else { return nil }
    return fairness(
      ofOperations: workers.map { worker in rounds.reduce(0) { $0 + $1.workers[worker].operations } })
  }

  /// The longest wait in nanoseconds; has no meaning if the round does not measure waits.
  package var longestWait: Int {
    workers.map(\.greatestResult).max() ?? 0
  }

  package var involuntarySwitches: Int {
    workers.reduce(0) { $0 + $1.involuntarySwitches }
  }

  /// The number of workers that began late.
  ///
  /// A worker is late if more than a twentieth of the round's time passes between the common start and the
  /// moment at which the worker first runs.
  package var lateStarts: Int {
    workers.count { $0.began > $0.started && ($0.began - $0.started) * 20 > nanoseconds }
  }

  /// The number of times that a worker lost its processor, or got one late.
  package var disturbances: Int { involuntarySwitches + lateStarts }
}
