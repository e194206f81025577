internal import ThreadSupport

/// Measures the implementations (contestants) in the contests of benchmark suites.
///
/// Each contestant is measured several times; one measurement is a round. A session works in passes: a pass
/// goes through all contests, and measures one round of each contestant. A slow change, such as a rise of the
/// processor's temperature, affects all contestants of a pass alike, so their figures can be compared. Each
/// pass shuffles the contestants of a contest, so that a contestant does not always run after the same
/// predecessor.
package struct Session<Tools: Instruments> {
  private(set) var entries: [Entry]
  private let schedule: Schedule
  private let processors: Int
  private let instruments: Tools
  private let pool: WorkerPool
  private let records: PerWorker<WorkerRecord>
  private var policy: RedoPolicy
  private var random: SplitMix64
  private var supervisor: Supervisor

  /// A contest and its results so far.
  struct Entry {
    let suite: String
    let contest: Contest
    // Each of the following arrays has one element for each contestant of the contest.
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

    /// A report that has the same number of rounds for each contestant of the contest.
    ///
    /// If the session ended early, some contestants may have completed one more round, which is left out.
    ///
    /// - Parameter abandoned: The index of a contestant that still runs, so that its samples can't be read;
    ///   `nil` for none.
    func report(without abandoned: Int?) -> ContestReport {
      let common = rounds.map(\.count).min() ?? 0
      return ContestReport(
        suite: suite, group: contest.group, title: contest.title, metric: contest.metric,
        threads: contest.threads, reference: contest.reference, parameter: contest.parameter,
        runsOnOtherThreads: contest.runsOnOtherThreads,
        contestants: contest.contestants.enumerated().map { position, contestant in
          ContestantReport(
            contestant, metric: contest.metric, rounds: Array(rounds[position].prefix(common)),
            waitRound: waitRounds[position], growth: growths[position],
            samples: position == abandoned ? [] : contestant.samples())
        })
    }

    /// The name of the contestant at `position`, for messages, with its suite, group and contest.
    func name(_ position: Int) -> String {
      "\(suite), \(contest.group), \(contest.title): \(contest.contestants[position].name)"
    }
  }

  /// The kinds of passes, in the order in which a session runs them; a pass measures one round of each
  /// contestant.
  private enum Pass {
    case warmUp
    case operations(round: Int)
    case waits
  }

  /// Prepares the measurements.
  ///
  /// - Parameters:
  ///   - suites: The suites to measure.
  ///   - schedule: The number of rounds and their durations.
  ///   - processors: The number of processors that the process may use. Contests with more threads get longer
  ///     rounds, and none of these rounds is measured again.
  ///   - instruments: The clocks and counters that the workers read.
  ///   - seed: The seed for the random order of the contestants in each pass.
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
    // The pool starts at least two threads, because glibc's locks omit atomic operations in a process of one
    // thread.
    pool = WorkerPool(count: max(2, entries.map(\.contest.threads).max() ?? 0))
    supervisor = Supervisor(pool: pool, limitMilliseconds: schedule.limitMilliseconds)
    records = PerWorker(count: pool.count, repeating: WorkerRecord())
    policy = RedoPolicy(
      processors: processors, mostPerRound: schedule.redosPerRound,
      mostInAll: schedule.redosInAll(
        rounds: entries.reduce(0) { $0 + $1.contest.contestants.count * schedule.rounds(of: $1.contest) }))
  }

  /// Runs all passes, and checks the results.
  ///
  /// - Parameters:
  ///   - isInterrupted: Returns whether the session must end now; called before each measurement, and several
  ///     times per second during a long one.
  ///   - progress: Called before each measurement with the name of the implementation and the finished share
  ///     of the planned time, from 0 to 1.
  /// - Returns: The completed measurements; `isInterrupted` is set in them if the session ended early.
  package mutating func run(
    isInterrupted: () -> Bool = { false }, progress: (_ what: String, _ done: Double) -> Void
  ) -> Measurements {
    let passes = [Pass.warmUp] + (0..<schedule.rounds).map { .operations(round: $0) } + [.waits]
    let total = passes.reduce(0) { sum, pass in
      sum + entries.indices.reduce(0) { $0 + plannedTime(of: pass, $1) * contestantCount($1) }
    }
    var spent: UInt64 = 0
    // The contestant that is being measured: the index of its contest in `entries`, and its position in the
    // contest.
    var current = (index: 0, position: 0)
    do throws(EarlyEnd) {
      for pass in passes {
        for index in entries.indices {
          let time = plannedTime(of: pass, index)
          // A planned time of 0 means that the pass does not measure the contest.
          guard time > 0 else { continue }
          for position in entries[index].contest.contestants.indices.shuffled(using: &random) {
            if isInterrupted() { throw .interrupted }
            current = (index, position)
            progress(entries[index].name(position), Double(spent) / Double(total))
            try perform(pass, index, position, isInterrupted)
            spent += time
          }
        }
      }
    } catch {
      // Only an abandoned round needs a complaint. After an interruption, the report says that it is
      // incomplete.
      if case .abandoned(let words) = error {
        return measurements(
          isInterrupted: true, abandoned: current,
          complaints: ["\(entries[current.index].name(current.position)): a round \(words)"])
      }
    }
    let (complaints, abandoned) = audit(isInterrupted)
    return measurements(isInterrupted: spent < total, abandoned: abandoned, complaints: complaints)
  }

  /// The measurements so far.
  ///
  /// - Parameter abandoned: The contestant that still runs, so that its samples can't be read; `nil` for
  ///   none.
  private func measurements(
    isInterrupted: Bool, abandoned: (index: Int, position: Int)?, complaints: [String]
  ) -> Measurements {
    Measurements(
      contests: entries.indices.map { index in
        entries[index].report(without: abandoned.flatMap { $0.index == index ? $0.position : nil })
      }.filter { !$0.contestants.allSatisfy(\.rounds.isEmpty) },
      redone: policy.redone, complaints: complaints, isInterrupted: isInterrupted)
  }

  private func contestantCount(_ index: Int) -> UInt64 { UInt64(entries[index].contest.contestants.count) }

  /// The time that a pass plans for each contestant of a contest, in nanoseconds.
  ///
  /// The time is 0 if the pass does not measure the contest. Otherwise it is positive, even if the schedule's
  /// durations are 0.
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

  private mutating func perform(
    _ pass: Pass, _ index: Int, _ position: Int, _ isInterrupted: () -> Bool
  ) throws(EarlyEnd) {
    let contest = entries[index].contest
    let contestant = contest.contestants[position]
    let batchSize = entries[index].batchSizes[position]
    let time = schedule.roundTime(threads: contest.threads, processors: processors)
    switch pass {
    case .warmUp:
      let round = try attempt(contestant.batch, contest, batchSize, time / 4, isInterrupted)
      let size = BatchSize.suited(to: round, unit: contest.operationUnit)
      entries[index].batchSizes[position] = size
      if contest.metric == .cost, contest.threads == 1 {
        let check = try OptimiserGuard { (times) throws(EarlyEnd) in
          if isInterrupted() { throw .interrupted }
          return try attempt(contestant.batch, contest, size * times, 0, isInterrupted).nanoseconds
        }
        entries[index].growths[position] = check.growth
        // The batch size is computed again from the time that `OptimiserGuard` measured. That time is more
        // reliable than the warm-up round, which may have been disturbed.
        entries[index].batchSizes[position] = BatchSize.suited(
          to: size * check.times, nanoseconds: check.nanoseconds, unit: contest.operationUnit)
      }
    case .operations:
      // In a contest of hand-offs, other threads do the measured work, and the worker only waits for them.
      // The round is valid even if the worker loses its processor, so it is never measured again.
      let round =
        contest.metric == .handOffs
        ? try attempt(contestant.batch, contest, batchSize, time, isInterrupted)
        : try measure(contestant.batch, contest, batchSize, time, isInterrupted)
      entries[index].rounds[position].append(round)
    case .waits:
      guard let batch = contestant.waitBatch else { return }
      // Operations that read the clock take longer, so a batch has only the minimum number of them. A round
      // of waits is so long that it is usually disturbed, so it is not measured again.
      entries[index].waitRounds[position] = try attempt(
        batch, contest, contest.operationUnit, schedule.waitTime(seeksStarvation: contest.seeksStarvation),
        isInterrupted)
    }
  }

  /// Measures one round, repeats it if it was disturbed, and returns the attempt with the fewest disturbances
  /// (see `RedoPolicy`).
  private mutating func measure(
    _ batch: @escaping Batch, _ contest: Contest, _ batchSize: Int, _ duration: UInt64,
    _ isInterrupted: () -> Bool
  ) throws(EarlyEnd) -> Round {
    var policy = self.policy
    defer { self.policy = policy }
    return try policy.measure(threads: contest.threads) { () throws(EarlyEnd) in
      try attempt(batch, contest, batchSize, duration, isInterrupted)
    }
  }

  /// Measures one round, which lasts at least `duration` nanoseconds unless the session must end early.
  private mutating func attempt(
    _ batch: @escaping Batch, _ contest: Contest, _ batchSize: Int, _ duration: UInt64,
    _ isInterrupted: () -> Bool
  ) throws(EarlyEnd) -> Round {
    let threads = contest.threads
    let gate = StartGate(threads: threads)
    let state = RoundState(workers: threads)
    let (records, instruments) = (self.records, self.instruments)
    try supervisor.run(on: threads, state, isInterrupted: isInterrupted) { worker in
      let start = gate.pass(now: instruments.now)
      records[worker] = .running(
        batch, worker: worker, batchSize: batchSize, from: start, for: duration, in: state,
        instruments: instruments)
    }
    return Round(workers: Array(records.values.prefix(threads)), attendants: contest.attendants)
  }

  /// Checks the results of all contestants that have completed a round.
  ///
  /// - Returns: `complaints` about wrong results, loops from which the optimiser removed operations, and a
  ///   check that did not end. `abandoned` is the contestant whose check did not end; `nil` for none.
  private mutating func audit(
    _ isInterrupted: () -> Bool
  ) -> (complaints: [String], abandoned: (index: Int, position: Int)?) {
    let audited = entries.indices.flatMap { index in
      entries[index].rounds.indices.filter { !entries[index].rounds[$0].isEmpty }.map {
        (index: index, position: $0)
      }
    }
    let audits = audited.map { entries[$0.index].contest.contestants[$0.position].audit }
    let results = Monitor<[String?]>([])
    let state = RoundState(workers: 1, of: "check")
    var abandoned: (words: String, contestant: (index: Int, position: Int))?
    do throws(EarlyEnd) {
      // The checks run on a worker thread, because they acquire the locks that were measured. A lock that is
      // never released would block the main thread.
      try supervisor.run(on: 1, state, isInterrupted: isInterrupted) { worker in
        state.start(worker)
        for (number, audit) in audits.enumerated() where !state.isOver(hasPassed: false) {
          state.begin(batch: number + 1, worker)
          let result = audit()
          results.enter { $0.append(result) }
        }
        state.finish(worker)
      }
    } catch {
      // An interruption is ignored here: its only effect is that some complaints may be missing.
      if case .abandoned(let words) = error {
        abandoned = (words, audited[results.enter { $0.count }])
      }
    }
    let known = results.enter { $0 }
    let complaints = audited.enumerated().flatMap { number, contestant in
      let entry = entries[contestant.index]
      return [
        number < known.count ? known[number] : nil,
        entry.growths[contestant.position].flatMap(OptimiserGuard.complaint),
      ].compactMap { $0 }.map { "\(entry.name(contestant.position)): \($0)" }
    }
    guard let abandoned else { return (complaints, nil) }
    let name = entries[abandoned.contestant.index].name(abandoned.contestant.position)
    return (complaints + ["\(name): the check of its results \(abandoned.words)"], abandoned.contestant)
  }
}
