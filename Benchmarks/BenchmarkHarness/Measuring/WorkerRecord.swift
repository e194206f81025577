/// The record of one worker in one round.
package struct WorkerRecord: BitwiseCopyable, Sendable, Equatable {
  package var operations = 0
  /// When the gate opened, on the instruments' clock: the same for all workers of a round.
  package var started: UInt64 = 0
  /// When the worker first ran after the gate had opened, on the same clock.
  ///
  /// A worker with a processor runs at once.
  package var began: UInt64 = 0
  /// When the worker's last batch ended, on the same clock.
  package var finished: UInt64 = 0
  package var involuntarySwitches = 0
  /// The greatest result of a batch: the longest wait in nanoseconds, in a round that measures waits.
  package var greatestResult = 0
  /// The sum of the batches' results.
  ///
  /// No code reads it, but the optimiser can't know that.
  package var checksum = 0

  /// The resources that the process used from the first batch to the end of the last.
  ///
  /// With one worker, these are its contestant's.
  package var usage = ProcessUsage()

  /// Processor time of this worker's thread from the first batch to the end of the last, in nanoseconds.
  package var processorNanoseconds = 0

  /// The instructions that the worker's thread executed outside the kernel from its first batch to the end of
  /// the last; `nil` if they are not counted.
  package var instructions: Int?

  package init() {}

  /// Runs batches until `duration` nanoseconds after the start, at least one.
  package static func running(
    _ batch: Batch, worker: Int, batchSize: Int, from start: UInt64, for duration: UInt64,
    instruments: some Instruments
  ) -> WorkerRecord {
    var record = WorkerRecord()
    record.started = start
    let switchesBefore = instruments.involuntarySwitches()
    let usageBefore = instruments.usage()
    let processorBefore = instruments.threadNanoseconds()
    let instructionsBefore = instruments.instructions()
    record.began = instruments.now()
    repeat {
      let result = batch(worker, batchSize)
      record.checksum &+= result
      record.greatestResult = max(record.greatestResult, result)
      record.operations += batchSize
      record.finished = instruments.now()
    } while record.finished < start + duration
    record.instructions = instruments.instructions().flatMap { end in instructionsBefore.map { end - $0 } }
    record.processorNanoseconds = instruments.threadNanoseconds() - processorBefore
    record.usage = instruments.usage() - usageBefore
    record.involuntarySwitches = instruments.involuntarySwitches() - switchesBefore
    return record
  }
}
