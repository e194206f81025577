/// The measurements of one worker thread in one round.
package struct WorkerRecord: BitwiseCopyable, Sendable, Equatable {
  package var operations = 0
  /// The time at which all workers of the round were released to start, in nanoseconds of
  /// `Instruments.now()`.
  ///
  /// It is the same for all workers of a round.
  package var started: UInt64 = 0
  /// The time at which the worker first ran after it was released to start, in nanoseconds of
  /// `Instruments.now()`.
  ///
  /// A worker that must wait for a processor begins much later than `started`.
  package var began: UInt64 = 0
  /// The time at which the worker's last batch ended, in nanoseconds of `Instruments.now()`.
  package var finished: UInt64 = 0
  package var involuntarySwitches = 0
  /// The greatest result of a batch; in a round that measures waits, this is the longest wait in nanoseconds.
  package var greatestResult = 0
  /// The sum of the batches' results: the count, if the `Metric` is bytes or allocations.
  ///
  /// For other metrics, the sum only keeps the optimiser from removing operations.
  package var checksum = 0

  /// The resources that all threads of the process used during the worker's batches.
  ///
  /// In a round with several workers, the resources that the other workers used are included.
  package var usage = ProcessUsage()

  /// The processor time of the worker's thread from its first batch to the end of the last, in nanoseconds.
  package var processorNanoseconds = 0

  /// The instructions that the worker's thread executed outside the kernel, from its first batch to the end
  /// of the last; `nil` if they are not counted.
  package var instructions: Int?

  package init() {}

  /// Runs batches until `duration` nanoseconds after `start`, or until another worker ends the round.
  ///
  /// At least one batch runs.
  ///
  /// - Returns: The measurements of the batches.
  package static func running(
    _ batch: Batch, worker: Int, batchSize: Int, from start: UInt64, for duration: UInt64,
    in state: RoundState, instruments: some Instruments
  ) -> WorkerRecord {
    state.start(worker)
    var record = WorkerRecord()
    record.started = start
    let switchesBefore = instruments.involuntarySwitches()
    let usageBefore = instruments.usage()
    let processorBefore = instruments.threadNanoseconds()
    let instructionsBefore = instruments.instructions()
    record.began = instruments.now()
    var batches = 0
    repeat {
      batches += 1
      state.begin(batch: batches, worker)
      let result = batch(worker, batchSize)
      record.checksum &+= result
      record.greatestResult = max(record.greatestResult, result)
      record.operations += batchSize
      record.finished = instruments.now()
    } while !state.isOver(hasPassed: record.finished >= start + duration)
    state.finish(worker)
    record.instructions = instruments.instructions().flatMap { end in instructionsBefore.map { end - $0 } }
    record.processorNanoseconds = instruments.threadNanoseconds() - processorBefore
    record.usage = instruments.usage() - usageBefore
    record.involuntarySwitches = instruments.involuntarySwitches() - switchesBefore
    return record
  }
}
