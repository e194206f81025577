@testable import BenchmarkHarness
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("The loop of a worker")
struct WorkerRecordTests {
  /// Clocks and counters whose clock advances by ten nanoseconds at each reading.
  ///
  /// Each reading of the involuntary context switches shows one more.
  private final class ScriptedInstruments: Instruments {
    private let time = Atomic<UInt64>(0)
    private let switches = Atomic(0)

    func now() -> UInt64 { time.wrappingAdd(10, ordering: .relaxed).newValue }

    func involuntarySwitches() -> Int { switches.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test("Batches run until the time is over, and the clock is read once for each of them")
  func batches() {
    let sizes = PerWorker(count: 4, repeating: 0)
    let record = WorkerRecord.running(
      { worker, count in
        sizes[worker] += count
        return sizes[worker]
      }, worker: 3, batchSize: 100, from: 5, for: 40, in: RoundState(workers: 4),
      instruments: ScriptedInstruments())
    // The round starts at 5 ns and lasts 40 ns. The clock shows 10 ns before the first batch, and 20, 30, 40
    // and 50 ns after the batches. The worker stops at 50 ns, the first reading not before the end, 45 ns.
    #expect(record.started == 5)
    #expect(record.began == 10)
    #expect(record.finished == 50)
    #expect(record.operations == 400)
    #expect(sizes.values == [0, 0, 0, 400])
    #expect(record.greatestResult == 400)
    #expect(record.checksum == 100 + 200 + 300 + 400)
    #expect(record.involuntarySwitches == 1)
  }

  @Test("A worker that sees the time pass ends the round for the others, after the batches that they are in")
  func sharedEnd() {
    let state = RoundState(workers: 2)
    let instruments = ScriptedInstruments()
    let batches = RelaxedCounter()
    // Worker 1 has no time limit of its own. Worker 0 ends the round during the third batch of worker 1, so
    // worker 1 must do no fourth batch.
    let record = WorkerRecord.running(
      { _, count in
        if batches.add(1) == 3 {
          let other = WorkerRecord.running(
            { _, count in count }, worker: 0, batchSize: 10, from: 0, for: 1, in: state,
            instruments: instruments)
          #expect(other.operations == 10)
        }
        return count
      }, worker: 1, batchSize: 10, from: 0, for: .max, in: state, instruments: instruments)
    #expect(record.operations == 30)
  }

  @Test("One batch runs at least")
  func oneBatch() {
    let record = WorkerRecord.running(
      { _, _ in 7 }, worker: 0, batchSize: 10, from: 10, for: 0, in: RoundState(workers: 1),
      instruments: ScriptedInstruments())
    #expect(record.operations == 10)
    #expect(record.greatestResult == 7)
  }
}
