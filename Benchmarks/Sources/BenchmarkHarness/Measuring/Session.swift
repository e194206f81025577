internal import Synchronization

/// Measures the contestants of benchmark suites.
///
/// Each contestant is measured several times; one measurement is a round. A session works in passes: a pass
/// goes through all contests, and measures one round of each contestant. A slow change, such as a rise of the
/// processor's temperature, affects all contestants of a pass alike, so their figures can be compared. Each
/// pass shuffles the contestants of a contest, so that a contestant does not always run after the same
/// predecessor.
package struct Session<Tools: Instruments> {
  private(set) var entries: [Entry]
  private let suites: [Suite]
  private let run: RunDescription
  private let schedule: Schedule
  private let instruments: Tools
  private let pool: WorkerPool
  private let records: [IsolatedBox<WorkerRecord>]
  private var policy: RedoPolicy
  /// The number of polls left for jobs to end after an interruption; at 0, the running job is given up.
  ///
  /// All jobs together have half a second. `Interruption` ends the process soon afterwards, and the report
  /// needs the rest of that time.
  private var pollsAfterInterruption = 500 / pollMilliseconds

  /// Most rounds are shorter than this time, so polling does not disturb them.
  private static var pollMilliseconds: Int { 100 }

  /// A contest and its results so far.
  struct Entry {
    let suite: String
    let contest: Contest
    var results: [Result]

    /// The results of a contestant.
    struct Result {
      var batchSize: Int
      var rounds: [Round] = []
      var waitRound: Round?
      var growth: Double?
    }

    init(suite: String, _ contest: Contest) {
      self.suite = suite
      self.contest = contest
      results = contest.contestants.map { _ in Result(batchSize: contest.operationUnit) }
    }

    /// A report that has the same number of rounds for each contestant.
    ///
    /// If the session ended early, some contestants may have completed one more round, which is left out.
    ///
    /// - Parameter abandoned: The index of a contestant that still runs, so that its samples can't be read;
    ///   `nil` for none.
    func report(without abandoned: Int?) -> ContestReport {
      let common = results.map(\.rounds.count).min() ?? 0
      return ContestReport(
        suite: suite, group: contest.group, title: contest.title, metric: contest.metric,
        threads: contest.threads, reference: contest.reference, parameter: contest.parameter?.value,
        parameterName: contest.parameter?.name,
        runsOnOtherThreads: contest.runsOnOtherThreads,
        contestants: contest.contestants.enumerated().map { position, contestant in
          ContestantReport(
            contestant, metric: contest.metric, rounds: Array(results[position].rounds.prefix(common)),
            waitRound: results[position].waitRound, growth: results[position].growth,
            samples: position == abandoned ? [] : contestant.samples())
        })
    }

    /// The name of the contestant at `position`, for messages, with its suite, group and contest.
    func name(_ position: Int) -> String {
      "\(suite), \(contest.group), \(contest.title): \(contest.contestants[position].name)"
    }
  }

  /// The kinds of passes, in the order in which a session runs them.
  private enum Pass {
    case warmUp
    case operations(round: Int)
    case waits
  }

  /// A contestant: the index of its contest in `entries`, and its position in the contest.
  private typealias Place = (index: Int, position: Int)

  /// The reason why a session ends before its last measurement.
  private enum EarlyEnd: Error {
    /// The program must end.
    case interrupted
    /// A job did not end within the given time, and its threads still run.
    case abandoned(seconds: Double)

    static func text(_ seconds: Double) -> String { "did not end within \(Figures.fixed(seconds, 1)) s" }
  }

  /// Prepares the measurements.
  ///
  /// Contests with more threads than the machine has processors get longer rounds, and none of these rounds is
  /// measured again.
  package init(suites: [Suite], run: RunDescription, schedule: Schedule, instruments: Tools) {
    self.suites = suites
    self.run = run
    entries = suites.flatMap { suite in suite.contests.map { Entry(suite: suite.name, $0) } }
    self.schedule = schedule
    self.instruments = instruments
    pool = WorkerPool(count: max(2, entries.map(\.contest.threads).max() ?? 0))
    records = (0..<pool.count).map { _ in IsolatedBox(WorkerRecord()) }
    policy = RedoPolicy(
      processors: run.machine.processorCount,
      rounds: entries.reduce(0) { $0 + $1.results.count * schedule.rounds(of: $1.contest) })
  }

  /// Runs all passes, and checks the results.
  ///
  /// - Parameters:
  ///   - isInterrupted: Returns whether the session must end now; called before each measurement, and several
  ///     times per second during a long one.
  ///   - progress: Called before each measurement with the name of the contestant and the finished share of
  ///     the planned time, from 0 to 1.
  package mutating func measure(
    isInterrupted: () -> Bool = { false }, progress: (_ what: String, _ done: Double) -> Void
  ) -> Report {
    let passes = [Pass.warmUp] + (0..<schedule.rounds).map { .operations(round: $0) } + [.waits]
    let total = passes.reduce(0) { sum, pass in
      sum + entries.reduce(0) { $0 + plannedTime(of: pass, $1.contest) * UInt64($1.results.count) }
    }
    var spent: UInt64 = 0
    var current: Place = (0, 0)
    do throws(EarlyEnd) {
      for pass in passes {
        for index in entries.indices {
          let time = plannedTime(of: pass, entries[index].contest)
          // A planned time of 0 means that the pass does not measure the contest.
          guard time > 0 else { continue }
          for position in entries[index].results.indices.shuffled() {
            if isInterrupted() { throw .interrupted }
            current = (index, position)
            progress(entries[index].name(position), Double(spent) / Double(total))
            try perform(pass, current, isInterrupted)
            spent += time
          }
        }
      }
    } catch {
      // Only an abandoned round needs a complaint. After an interruption, the report says that it is
      // incomplete.
      if case .abandoned(let seconds) = error {
        let name = entries[current.index].name(current.position)
        return report(
          isInterrupted: true, abandoned: current,
          complaints: ["\(name): a round \(EarlyEnd.text(seconds))"])
      }
    }
    let (complaints, abandoned) = audit(isInterrupted)
    return report(isInterrupted: spent < total, abandoned: abandoned, complaints: complaints)
  }

  /// The results so far.
  ///
  /// - Parameter abandoned: The contestant that still runs; `nil` for none.
  private func report(isInterrupted: Bool, abandoned: Place?, complaints: [String]) -> Report {
    let contests = entries.indices.map { index in
      entries[index].report(without: abandoned?.index == index ? abandoned?.position : nil)
    }
    return Report(
      run: run, suites: suites.map(\.heading),
      contests: contests.filter { !$0.contestants.allSatisfy(\.rounds.isEmpty) },
      roundsRedone: policy.redone, complaints: complaints, isInterrupted: isInterrupted)
  }

  /// The time that a pass plans for each contestant of a contest, in nanoseconds.
  ///
  /// The time is 0 if the pass does not measure the contest. Otherwise it is positive, even if the schedule's
  /// durations are 0.
  private func plannedTime(of pass: Pass, _ contest: Contest) -> UInt64 {
    let round = max(1_000, schedule.roundTime(of: contest, processors: run.machine.processorCount))
    switch pass {
    case .warmUp: return round / 4
    case .operations(let number): return number < schedule.rounds(of: contest) ? round : 0
    case .waits:
      // A thread that is alone never waits for another one.
      let measures = contest.threads > 1 && contest.contestants.contains { $0.waitBatch != nil }
      return measures ? max(1_000, schedule.waitTime(of: contest)) : 0
    }
  }

  private mutating func perform(
    _ pass: Pass, _ place: Place, _ isInterrupted: () -> Bool
  ) throws(EarlyEnd) {
    let contest = entries[place.index].contest
    let contestant = contest.contestants[place.position]
    var result = entries[place.index].results[place.position]
    let time = schedule.roundTime(of: contest, processors: run.machine.processorCount)
    switch pass {
    case .warmUp:
      let round = try attempt(contestant.batch, contest, result.batchSize, time / 4, isInterrupted)
      result.batchSize = Self.batchSize(
        operations: round.operations / contest.threads, nanoseconds: round.nanoseconds, contest)
      if contest.metric == .cost, contest.threads == 1 {
        let size = result.batchSize
        let check = try OptimizerGuard { (times) throws(EarlyEnd) in
          if isInterrupted() { throw .interrupted }
          return try attempt(contestant.batch, contest, size * times, 0, isInterrupted).nanoseconds
        }
        result.growth = check.growth
        // The time that `OptimizerGuard` measured is more reliable than that of the warm-up round, which may
        // have been disturbed.
        result.batchSize = Self.batchSize(
          operations: size * check.times, nanoseconds: check.nanoseconds, contest)
      }
    case .operations:
      if contest.metric == .handOffs {
        // Other threads do the measured work, and the worker only waits for them. The round is valid even if
        // the worker loses its processor, so it is never measured again.
        result.rounds.append(try attempt(contestant.batch, contest, result.batchSize, time, isInterrupted))
      } else {
        var policy = self.policy
        defer { self.policy = policy }
        result.rounds.append(
          try policy.measure(
            threads: contest.threads, runsOnOtherThreads: contest.runsOnOtherThreads
          ) { () throws(EarlyEnd) in
            try attempt(contestant.batch, contest, result.batchSize, time, isInterrupted)
          })
      }
    case .waits:
      guard let batch = contestant.waitBatch else { return }
      // Operations that read the clock take longer, so a batch has only the minimum number of them. A round
      // of waits is so long that it is usually disturbed, so it is not measured again.
      result.waitRound = try attempt(
        batch, contest, contest.operationUnit, schedule.waitTime(of: contest), isInterrupted)
    }
    entries[place.index].results[place.position] = result
  }

  /// The size of a batch that takes about 20 µs, from a number of operations whose time was measured: a
  /// positive multiple of the contest's unit.
  ///
  /// The clock is read after each batch. A reading takes about 25 ns, which is negligible for a batch of this
  /// length. A measurement ends only after a complete batch, so longer batches would prolong it.
  static func batchSize(operations: Int, nanoseconds: UInt64, _ contest: Contest) -> Int {
    let operations = 20_000 * Double(operations) / Double(nanoseconds)
    return contest.operationUnit * max(1, Int(operations / Double(contest.operationUnit)))
  }

  /// Measures one round, which lasts at least `duration` nanoseconds unless the session must end early.
  private mutating func attempt(
    _ batch: @escaping Batch, _ contest: Contest, _ batchSize: Int, _ duration: UInt64,
    _ isInterrupted: () -> Bool
  ) throws(EarlyEnd) -> Round {
    let gate = StartGate(threads: contest.threads)
    let isOver = IsolatedBox(Atomic(false))
    let (records, instruments) = (self.records, self.instruments)
    try run(on: contest.threads, isOver, isInterrupted) { worker in
      let start = gate.pass(now: instruments.now)
      records[worker].pointer.pointee = .running(
        batch, worker: worker, batchSize: batchSize, from: start, for: duration,
        isOver: isOver.pointer.pointee, instruments: instruments)
    }
    return Round(workers: records.prefix(contest.threads).map(\.pointer.pointee))
  }

  /// Runs `job` on the first `workers` threads of the pool, and waits for its end.
  ///
  /// If the program must end, sets `isOver`, and throws `EarlyEnd.interrupted` as soon as the job has ended.
  /// If the job takes too long, throws `EarlyEnd.abandoned`, and its threads continue to run. The limit is a
  /// number of polls and not a time, so that time in which the process is stopped does not count.
  private mutating func run(
    on workers: Int, _ isOver: IsolatedBox<Atomic<Bool>>, _ isInterrupted: () -> Bool,
    _ job: @escaping WorkerPool.Job
  ) throws(EarlyEnd) {
    pool.start(on: workers, job)
    var polls = 0
    var isCut = false
    while !pool.wait(milliseconds: Self.pollMilliseconds) {
      polls += 1
      if isInterrupted() {
        isOver.pointer.pointee.store(true, ordering: .relaxed)
        isCut = true
        pollsAfterInterruption -= 1
      }
      if polls >= max(1, schedule.limit / Self.pollMilliseconds) || pollsAfterInterruption <= 0 {
        // Leaks the pool: its threads still use it, and its `deinit` would wait for them.
        _ = Unmanaged.passRetained(pool)
        throw .abandoned(seconds: Double(polls * Self.pollMilliseconds) / 1_000)
      }
    }
    if isCut { throw .interrupted }
  }

  /// Checks the results of all contestants that have completed a round.
  ///
  /// - Returns: `complaints` about wrong results, loops from which the optimizer removed operations, and a
  ///   check that did not end. `abandoned` is the contestant whose check did not end; `nil` for none.
  private mutating func audit(_ isInterrupted: () -> Bool) -> (complaints: [String], abandoned: Place?) {
    let places = entries.indices.flatMap { index in
      entries[index].results.indices.filter { !entries[index].results[$0].rounds.isEmpty }.map { (index, $0) }
    }
    let audits = places.map { entries[$0].contest.contestants[$1].audit }
    let results = IsolatedBox(Mutex<[String?]>([]))
    let isOver = IsolatedBox(Atomic(false))
    var abandoned: (seconds: Double, place: Place)?
    do throws(EarlyEnd) {
      // The checks run on a worker thread, because they acquire the locks that were measured. A lock that is
      // never released would block the main thread.
      try run(on: 1, isOver, isInterrupted) { _ in
        for audit in audits where !isOver.pointer.pointee.load(ordering: .relaxed) {
          let result = audit()
          results.pointer.pointee.withLock { $0.append(result) }
        }
      }
    } catch {
      // The only effect of an interruption is that some complaints may be missing.
      if case .abandoned(let seconds) = error {
        abandoned = (seconds, places[results.pointer.pointee.withLock { $0.count }])
      }
    }
    let known = results.pointer.pointee.withLock { $0 }
    var complaints = places.enumerated().flatMap { number, place in
      let result = entries[place.0].results[place.1]
      return [number < known.count ? known[number] : nil, result.growth.flatMap(OptimizerGuard.complaint)]
        .compactMap { $0 }.map { "\(entries[place.0].name(place.1)): \($0)" }
    }
    if let (seconds, place) = abandoned {
      let name = entries[place.index].name(place.position)
      complaints.append("\(name): the check of its results \(EarlyEnd.text(seconds))")
    }
    return (complaints, abandoned?.place)
  }
}
