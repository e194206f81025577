package import Synchronization

/// The measurements of one worker thread in one round.
package struct WorkerRecord: BitwiseCopyable, Sendable, Equatable {
  package var operations = 0
  /// The time at which all workers of the round were released to start; the same for all of them.
  package var started: UInt64 = 0
  /// The time at which the worker first ran after it was released to start.
  ///
  /// A worker that must wait for a processor begins much later than `started`.
  package var began: UInt64 = 0
  /// The time at which the worker's last batch ended.
  package var finished: UInt64 = 0
  /// What was used during the worker's batches; the figures of the process include the other workers.
  package var usage = Usage()
  /// The greatest result of a batch; in a round that measures waits, this is the longest wait in nanoseconds.
  package var greatestResult = 0
  /// The sum of the batches' results: the count, if the `Metric` is bytes or allocations.
  ///
  /// For other metrics, the sum only keeps the optimizer from removing operations.
  package var checksum = 0

  package init() {}

  /// Runs batches until `duration` nanoseconds after `start`, or until `isOver` is set.
  ///
  /// At least one batch runs. The first worker that completes a batch after the planned time ends the round
  /// for all. The workers run different numbers of batches. A batch must therefore never wait for another
  /// worker, which may already have stopped.
  package static func running(
    _ batch: Batch, worker: Int, batchSize: Int, from start: UInt64, for duration: UInt64,
    isOver: borrowing Atomic<Bool>, instruments: some Instruments
  ) -> WorkerRecord {
    var record = WorkerRecord()
    record.started = start
    let usageBefore = instruments.usage()
    record.began = instruments.now()
    repeat {
      let result = batch(worker, batchSize)
      record.checksum &+= result
      record.greatestResult = max(record.greatestResult, result)
      record.operations += batchSize
      record.finished = instruments.now()
      if record.finished >= start + duration { isOver.store(true, ordering: .relaxed) }
    } while !isOver.load(ordering: .relaxed)
    record.usage = instruments.usage() - usageBefore
    return record
  }
}

/// One measurement of one contestant, from the common start of its workers until the last one has finished.
package struct Round: Sendable, Equatable {
  /// The time from the common start of the workers to the end of the last batch.
  package let nanoseconds: UInt64
  package let workers: [WorkerRecord]
  /// Whether a thread of the round lost its processor, or got one late, although there were enough processors
  /// for all threads.
  package var isDisturbed = false

  /// Makes a round; traps without workers.
  package init(workers: [WorkerRecord]) {
    guard let start = workers.map(\.started).min(), let end = workers.map(\.finished).max() else {
      preconditionFailure("a round without workers")
    }
    // A time of 0 becomes one nanosecond, because other figures are divided by the time.
    nanoseconds = max(1, end - start)
    self.workers = workers
  }

  package var operations: Int { workers.reduce(0) { $0 + $1.operations } }

  package var nanosecondsPerOperation: Double { Double(nanoseconds) / Double(max(1, operations)) }

  /// The processor time for one operation, in nanoseconds.
  ///
  /// A round with one worker counts the whole process, because the worker may use other threads.
  package var processorNanosecondsPerOperation: Double {
    let time =
      workers.count == 1
      ? workers[0].usage.processNanoseconds : workers.reduce(0) { $0 + $1.usage.threadNanoseconds }
    return Double(time) / Double(max(1, operations))
  }

  /// The average number of bytes or allocations for one operation, if the batches return such counts.
  package var countPerOperation: Double {
    Double(workers.reduce(0) { $0 &+ $1.checksum }) / Double(max(1, operations))
  }

  /// The number of times that the threads of the process slept, divided by the operations; `nil` with several
  /// workers, which count the same sleeps.
  package var sleepsPerOperation: Double? {
    workers.count == 1 ? Double(workers[0].usage.sleeps) / Double(max(1, operations)) : nil
  }

  /// The operations of the slowest worker in all rounds, divided by those of the fastest: 1 is fair, 0 means
  /// that a worker starved; `nil` if there are no rounds.
  package static func fairness(of rounds: [Round]) -> Double? {
    guard let workers = rounds.first?.workers.indices else { return nil }
    let operations = workers.map { worker in rounds.reduce(0) { $0 + $1.workers[worker].operations } }
    guard let least = operations.min(), let most = operations.max(), most > 0 else { return 0 }
    return Double(least) / Double(most)
  }

  /// The longest wait in nanoseconds; has no meaning if the round does not measure waits.
  package var longestWait: Int { workers.map(\.greatestResult).max() ?? 0 }

  /// The number of times that a worker lost its processor, or got one late.
  ///
  /// A worker is late if more than a twentieth of the round's time passes between the common start and the
  /// moment at which the worker first runs.
  package var disturbances: Int {
    let late = workers.count { $0.began > $0.started && ($0.began - $0.started) * 20 > nanoseconds }
    return late + workers.reduce(0) { $0 + $1.usage.involuntarySwitches }
  }
}
