/// Measures the contests of some suites, with all of them interleaved.
///
/// A round goes through all contests and all their contestants before the next round starts, so that what changes
/// slowly (another program, the processor's temperature) changes for all of them, and figures of the same round may be
/// compared. Each round starts with another contestant, so that none always follows the same one.
package struct Session<Tools: Instruments> {
  private var entries: [Entry]
  private let schedule: Schedule
  private let processors: Int
  private let instruments: Tools
  private let pool: WorkerPool
  private let records: PerWorker<WorkerRecord>
  private var policy: RedoPolicy

  /// A contest and what is known of it so far.
  private struct Entry {
    let contest: Contest
    var batchSizes: [Int]
    var result: ContestResult
  }

  /// What is done with each contestant, in this order.
  private enum Pass {
    case warmUp, operations, waits
  }

  package init(suites: [Suite], schedule: Schedule, processors: Int, instruments: Tools) {
    entries = suites.flatMap { suite in
      suite.contests.map { contest in
        Entry(
          contest: contest, batchSizes: contest.contestants.map { _ in contest.operationUnit },
          result: ContestResult(suite: suite.name, contest: contest))
      }
    }
    self.schedule = schedule
    self.processors = processors
    self.instruments = instruments
    // One more than take part where one thread is measured: the process must not have one thread only.
    pool = WorkerPool(count: max(2, entries.map(\.contest.threads).max() ?? 0))
    records = PerWorker(count: pool.count, repeating: WorkerRecord())
    let perRound = entries.reduce(0) { $0 + $1.contest.contestants.count }
    policy = RedoPolicy(
      processors: processors, mostPerRound: schedule.redosPerRound,
      mostInAll: schedule.redosInAll(rounds: perRound * schedule.rounds))
  }

  /// Measures everything.
  ///
  /// - Parameter progress: Told before each measurement what comes and which share of all is done.
  package mutating func run(progress: (_ what: String, _ done: Double) -> Void) -> Measurements {
    let passes = [Pass.warmUp] + Array(repeating: .operations, count: schedule.rounds) + [.waits]
    for (round, pass) in passes.enumerated() {
      for index in entries.indices {
        let contestants = entries[index].contest.contestants
        let done = (Double(round) + Double(index) / Double(entries.count)) / Double(passes.count)
        for turn in contestants.indices {
          let position = (turn + round) % contestants.count
          progress("\(entries[index].result.path): \(contestants[position].name)", done)
          perform(pass, index, position)
        }
      }
    }
    for index in entries.indices {
      for (position, contestant) in entries[index].contest.contestants.enumerated() {
        entries[index].result.contestants[position].samples = contestant.samples().sorted()
      }
    }
    return Measurements(
      contests: entries.map(\.result), redone: policy.redone, complaints: entries.flatMap(complaints))
  }

  private mutating func perform(_ pass: Pass, _ index: Int, _ position: Int) {
    let contest = entries[index].contest
    let contestant = contest.contestants[position]
    let batchSize = entries[index].batchSizes[position]
    let time = schedule.roundTime(threads: contest.threads, processors: processors)
    switch pass {
    case .warmUp:
      let round = attempt(contestant.batch, contest.threads, batchSize, time / 4)
      entries[index].batchSizes[position] = BatchSize.suited(to: round, unit: contest.operationUnit)
    case .operations:
      let round = measure(contestant.batch, contest.threads, batchSize, time)
      entries[index].result.contestants[position].rounds.append(round)
    case .waits:
      guard contest.threads > 1, let batch = contestant.waitBatch else { return }
      // The operations take longer with the clock in them; one unit does not make a round much too long. Such a
      // round is not measured again: a long one is never undisturbed.
      entries[index].result.contestants[position].waitRound = attempt(
        batch, contest.threads, contest.operationUnit,
        schedule.waitTime(seeksStarvation: contest.seeksStarvation))
    }
  }

  /// One round, measured again where it was disturbed.
  private mutating func measure(
    _ batch: @escaping Batch, _ threads: Int, _ batchSize: Int, _ duration: UInt64
  ) -> Round {
    var policy = self.policy
    defer { self.policy = policy }
    return policy.measure(threads: threads) { attempt(batch, threads, batchSize, duration) }
  }

  /// One round, of at least `duration` nanoseconds.
  private func attempt(
    _ batch: @escaping Batch, _ threads: Int, _ batchSize: Int, _ duration: UInt64
  ) -> Round {
    let gate = StartGate(threads: threads)
    let (records, instruments) = (self.records, self.instruments)
    pool.run(on: threads) { worker in
      let start = gate.pass(now: instruments.now)
      records[worker] = .running(
        batch, worker: worker, batchSize: batchSize, from: start, for: duration, instruments: instruments)
    }
    return Round(workers: Array(records.values.prefix(threads)))
  }

  /// What the contestants find wrong with the outcome of their operations.
  private func complaints(_ entry: Entry) -> [String] {
    entry.contest.contestants.compactMap { contestant in
      contestant.audit().map { "\(entry.result.path): \(contestant.name): \($0)" }
    }
  }
}
