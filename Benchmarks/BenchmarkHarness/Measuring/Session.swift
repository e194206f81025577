internal import ThreadSupport

/// Measures the contests of some suites, with all of them interleaved.
///
/// A round goes through all contests and all their contestants before the next round starts, so that what
/// changes slowly (another program, the processor's temperature) changes for all of them, and figures of the
/// same round may be compared. The order of a contest's contestants is drawn anew in each round, so that none
/// always follows the same one.
package struct Session<Tools: Instruments> {
  private(set) var entries: [Entry]
  private let schedule: Schedule
  private let processors: Int
  private let instruments: Tools
  private let pool: WorkerPool
  private let records: PerWorker<WorkerRecord>
  private var policy: RedoPolicy
  private var random: SplitMix64

  /// A contest and what is known of it so far.
  struct Entry {
    let suite: String
    let contest: Contest
    // For each contestant.
    var batchSizes: [Int]
    var rounds: [[Round]]
    var waitRounds: [Round?]
    var growths: [Double?]

    init(suite: String, _ contest: Contest) {
      self.suite = suite
      self.contest = contest
      let count = contest.contestants.count
      batchSizes = Array(repeating: contest.operationUnit, count: count)
      rounds = Array(repeating: [], count: count)
      waitRounds = Array(repeating: nil, count: count)
      growths = Array(repeating: nil, count: count)
    }

    /// The figures of the rounds that all contestants had; an interruption leaves some with one more.
    var report: ContestReport {
      let common = rounds.map(\.count).min() ?? 0
      return ContestReport(
        suite: suite, group: contest.group, title: contest.title, metric: contest.metric,
        threads: contest.threads, reference: contest.reference, parameter: contest.parameter,
        contestants: contest.contestants.enumerated().map { position, contestant in
          ContestantReport(
            contestant, metric: contest.metric, rounds: Array(rounds[position].prefix(common)),
            waitRound: waitRounds[position], growth: growths[position])
        })
    }

    /// The name of a contestant, with those of suite, group and contest.
    func name(_ position: Int) -> String {
      "\(suite), \(contest.group), \(contest.title): \(contest.contestants[position].name)"
    }
  }

  /// What is done with each contestant, in this order.
  private enum Pass {
    case warmUp
    case operations(round: Int)
    case waits
  }

  /// - Parameter seed: Determines the order of the contestants in all rounds.
  package init(
    suites: [Suite], schedule: Schedule, processors: Int, instruments: Tools, seed: UInt64 = 0
  ) {
    random = SplitMix64(state: seed)
    entries = suites.flatMap { suite in
      suite.contests.map { Entry(suite: suite.name, $0) }
    }
    self.schedule = schedule
    self.processors = processors
    self.instruments = instruments
    // One more than take part where one thread is measured: the process must not have one thread only.
    pool = WorkerPool(count: max(2, entries.map(\.contest.threads).max() ?? 0))
    records = PerWorker(count: pool.count, repeating: WorkerRecord())
    policy = RedoPolicy(
      processors: processors, mostPerRound: schedule.redosPerRound,
      mostInAll: schedule.redosInAll(
        rounds: entries.reduce(0) { $0 + $1.contest.contestants.count * schedule.rounds(of: $1.contest) }))
  }

  /// Measures everything.
  ///
  /// - Parameters:
  ///   - isInterrupted: Asked before each measurement whether to stop; then the finished part is returned.
  ///   - progress: Notified before each measurement what comes and which share of the time for all is over.
  package mutating func run(
    isInterrupted: () -> Bool = { false }, progress: (_ what: String, _ done: Double) -> Void
  ) -> Measurements {
    let passes = [Pass.warmUp] + (0..<schedule.rounds).map { .operations(round: $0) } + [.waits]
    let total = passes.reduce(0) { sum, pass in
      sum + entries.indices.reduce(0) { $0 + plannedTime(of: pass, $1) * contestantCount($1) }
    }
    var spent: UInt64 = 0
    measuring: for pass in passes {
      for index in entries.indices {
        let time = plannedTime(of: pass, index)
        // No time: this contest has nothing to do in this pass.
        guard time > 0 else { continue }
        for position in entries[index].contest.contestants.indices.shuffled(using: &random) {
          if isInterrupted() { break measuring }
          progress(entries[index].name(position), Double(spent) / Double(total))
          perform(pass, index, position)
          spent += time
        }
      }
    }
    return measurements(isInterrupted: spent < total)
  }

  private func measurements(isInterrupted: Bool) -> Measurements {
    Measurements(
      contests: entries.map(\.report).filter { !$0.contestants.allSatisfy(\.rounds.isEmpty) },
      redone: policy.redone, complaints: entries.flatMap(complaints), isInterrupted: isInterrupted)
  }

  private func contestantCount(_ index: Int) -> UInt64 { UInt64(entries[index].contest.contestants.count) }

  /// What a pass takes for one contestant of a contest, in nanoseconds; 0 when it does nothing there.
  ///
  /// At least a microsecond otherwise, which changes nothing where rounds have a length.
  private func plannedTime(of pass: Pass, _ index: Int) -> UInt64 {
    let contest = entries[index].contest
    let round = max(1_000, schedule.roundTime(threads: contest.threads, processors: processors))
    switch pass {
    case .warmUp: return round / 4
    case .operations(let number): return number < schedule.rounds(of: contest) ? round : 0
    case .waits:
      guard contest.measuresWaits else { return 0 }
      return max(1_000, schedule.waitTime(seeksStarvation: contest.seeksStarvation))
    }
  }

  private mutating func perform(_ pass: Pass, _ index: Int, _ position: Int) {
    let contest = entries[index].contest
    let contestant = contest.contestants[position]
    let batchSize = entries[index].batchSizes[position]
    let time = schedule.roundTime(threads: contest.threads, processors: processors)
    switch pass {
    case .warmUp:
      let round = attempt(contestant.batch, contest.threads, batchSize, time / 4)
      let size = BatchSize.suited(to: round, unit: contest.operationUnit)
      entries[index].batchSizes[position] = size
      if contest.metric == .cost, contest.threads == 1 {
        let check = OptimiserGuard { attempt(contestant.batch, 1, size * $0, 0).nanoseconds }
        entries[index].growths[position] = check.growth
        // Better known than from one round, which may have been disturbed.
        entries[index].batchSizes[position] = BatchSize.suited(
          to: size * check.times, nanoseconds: check.nanoseconds, unit: contest.operationUnit)
      }
    case .operations:
      // Who starts the threads that hand over, and waits for them, may well do without a processor for a
      // while.
      let round =
        contest.metric == .handOffs
        ? attempt(contestant.batch, contest.threads, batchSize, time)
        : measure(contestant.batch, contest.threads, batchSize, time)
      entries[index].rounds[position].append(round)
    case .waits:
      guard let batch = contestant.waitBatch else { return }
      // The operations take longer with the clock in them; one unit does not make a round much too long. Such
      // a round is not measured again: a long one is never undisturbed.
      entries[index].waitRounds[position] = attempt(
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
    entry.contest.contestants.indices.flatMap { position in
      [
        entry.contest.contestants[position].audit(),
        entry.growths[position].flatMap(OptimiserGuard.complaint),
      ].compactMap { $0 }.map { "\(entry.name(position)): \($0)" }
    }
  }
}
