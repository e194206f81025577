internal import BenchmarkHarness
internal import Testing

@Suite("Round")
struct RoundTests {
  @Test("Cost, throughput and fairness are of all workers together")
  func figures() {
    let round = Round.sample(nanoseconds: 1_000, operations: [100, 300, 400])
    #expect(round.operations == 800)
    #expect(round.nanosecondsPerOperation == 1.25)
    #expect(round.millionsPerSecond == 800)
    #expect(round.fairness == 0.25)
    #expect(Metric.cost.value(of: round) == 1.25)
    #expect(Metric.throughput.value(of: round) == 800)
  }

  @Test("It lasts until the last worker has finished")
  func lastWorker() {
    var early = WorkerRecord()
    early.started = 10
    early.finished = 20
    var late = early
    late.finished = 50
    #expect(Round(workers: [late, early]).nanoseconds == 40)
  }

  @Test("A worker that did nothing makes it unfair; no time at all is no division by zero")
  func degenerate() {
    #expect(Round.sample(nanoseconds: 10, operations: [0, 5]).fairness == 0)
    #expect(Round.sample(nanoseconds: 10, operations: [0, 0]).fairness == 0)
    #expect(Round.sample(nanoseconds: 0, operations: [1]).nanoseconds == 1)
  }

  @Test("The longest wait and the disturbances are those of any worker")
  func workersTogether() {
    var patient = WorkerRecord()
    patient.greatestResult = 900
    patient.involuntarySwitches = 1
    var other = WorkerRecord()
    other.greatestResult = 30
    other.involuntarySwitches = 2
    let round = Round(workers: [patient, other])
    #expect(round.longestWait == 900)
    #expect(round.involuntarySwitches == 3)
    #expect(round.disturbances == 3)
  }

  @Test("Processor time and sleeps are for one operation")
  func usage() {
    let round = Round.sample(usage: 5_000, sleeps: 25)
    #expect(round.processorNanosecondsPerOperation == 50)
    #expect(round.sleepsPerOperation == 0.25)
    let difference =
      ProcessUsage(processorNanoseconds: 9, sleeps: 4) - ProcessUsage(processorNanoseconds: 2, sleeps: 3)
    #expect(difference == ProcessUsage(processorNanoseconds: 7, sleeps: 1))
  }

  @Test("A worker that has no processor for a twentieth of the round begins late")
  func lateStart() {
    var record = WorkerRecord()
    record.started = 100
    record.finished = 2_100
    record.began = 200
    #expect(Round(workers: [record]).lateStarts == 0)
    record.began = 201
    #expect(Round(workers: [record]).lateStarts == 1)
    #expect(Round(workers: [record]).disturbances == 1)
  }

  @Test(
    "Processor time is the process's where one worker may have helpers, and the threads' where several work")
  func processorTime() {
    #expect(Round.sample(usage: 500, sleeps: 0).processorNanosecondsPerOperation == 5)
    var workers = Round.sample(nanoseconds: 10, operations: [10, 30]).workers
    workers[0].processorNanoseconds = 100
    workers[1].processorNanoseconds = 300
    workers[1].usage = ProcessUsage(processorNanoseconds: 9_999, sleeps: 0)
    #expect(Round(workers: workers).processorNanosecondsPerOperation == 10)
  }

  @Test("Instructions are of all workers, or not known")
  func instructions() {
    var workers = Round.sample(nanoseconds: 10, operations: [10, 30]).workers
    #expect(Round(workers: workers).instructionsPerOperation == nil)
    workers[0].instructions = 100
    #expect(Round(workers: workers).instructionsPerOperation == nil)
    workers[1].instructions = 300
    #expect(Round(workers: workers).instructionsPerOperation == 10)
  }

  @Test("The counts of batches are divided by the operations")
  func counts() {
    var workers = Round.sample(nanoseconds: 10, operations: [10]).workers
    workers[0].checksum = 640
    #expect(Round(workers: workers).countPerOperation == 64)
    #expect(Metric.bytes.value(of: Round(workers: workers)) == 64)
    #expect(Metric.allocations.value(of: Round(workers: workers)) == 64)
  }

  @Test("No display shows more than 120 frames per second")
  func frames() {
    #expect(Metric.frames.value(of: .sample(nanoseconds: 1_000_000_000, operations: [30])) == 30)
    #expect(Metric.frames.value(of: .sample(nanoseconds: 1_000_000_000, operations: [30_000])) == 120)
  }
}
