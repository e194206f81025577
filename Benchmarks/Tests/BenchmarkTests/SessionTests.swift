@testable import BenchmarkHarness
internal import Dispatch
internal import Synchronization
internal import Testing

@Suite("Session")
struct SessionTests {
  /// Three rounds that take as long as one batch.
  private static let schedule = Schedule(
    rounds: 3, alone: 0, contended: 0, oversubscribed: 0, waits: 0, starvation: 0)

  private func session(
    _ suite: BenchmarkHarness.Suite, processors: Int = 1, limit: Int = 30_000
  ) -> Session<SystemInstruments> {
    var schedule = Self.schedule
    schedule.limit = limit
    return Session(
      suites: [suite], run: .sample(processorCount: processors), schedule: schedule,
      instruments: SystemInstruments())
  }

  @Test("Each contestant gets its rounds, with all threads in each")
  func rounds() {
    var session = session(
      .sample(contests: ["first": ["a", "b"], "second": ["c"]], threads: 3, metric: .throughput))
    let report = session.measure { _, _ in }
    #expect(report.contests.map(\.title) == ["first", "second"])
    for contestant in report.contests.flatMap(\.contestants) {
      #expect(contestant.rounds.count == 3)
      #expect(contestant.longestWait != nil)
    }
    let results = session.entries.flatMap(\.results)
    for round in results.flatMap({ $0.rounds + [$0.waitRound].compactMap(\.self) }) {
      #expect(round.workers.count == 3)
      #expect(round.workers.allSatisfy { $0.operations > 0 && $0.started == round.workers[0].started })
    }
    #expect(report.complaints.isEmpty)
    #expect(report.roundsRedone == 0)
  }

  @Test("A pass goes through all contestants, and waits are not measured where one thread is alone")
  func interleaving() {
    var session = session(.sample(contests: ["first": ["a", "b", "c"]]))
    var names: [String] = []
    var shares: [Double] = []
    let report = session.measure { what, done in
      names.append(what)
      shares.append(done)
    }
    // Each contestant has a warm-up and three rounds.
    #expect(names.count == 12)
    for pass in 0..<4 {
      let names = names[(pass * 3)..<(pass * 3 + 3)]
      #expect(Set(names) == Set(["a", "b", "c"].map { "sample, group, first: \($0)" }))
    }
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { (0..<1).contains($0) })
    #expect(report.contests[0].contestants.allSatisfy { $0.longestWait == nil })
  }

  /// Instruments that show one more involuntary context switch at each reading, as on a busy machine, or whose
  /// clock advances by 20 µs until it stops, so that every batch seems to take the same time.
  private final class ScriptedInstruments: Instruments {
    private let readings = Atomic(0)
    private let isSteady: Bool
    private let isStopped: @Sendable () -> Bool

    init(isSteady: Bool, isStopped: @escaping @Sendable () -> Bool = { false }) {
      self.isSteady = isSteady
      self.isStopped = isStopped
    }

    func now() -> UInt64 {
      let reading = UInt64(readings.add(isStopped() ? 0 : 1, ordering: .relaxed).newValue)
      return isSteady ? reading * 20_000 : SystemInstruments.now()
    }

    func usage() -> Usage {
      var usage = Usage()
      usage.involuntarySwitches = isSteady ? 0 : readings.add(1, ordering: .relaxed).newValue
      return usage
    }
  }

  @Test("A worker without a processor disturbs its round, unless it only starts those that hand over")
  func disturbance() {
    for (metric, isDisturbed) in [(Metric.cost, true), (.handOffs, false)] {
      var session = Session(
        suites: [.sample(contests: ["first": ["a"]], metric: metric)], run: .sample(),
        schedule: Self.schedule, instruments: ScriptedInstruments(isSteady: false))
      let report = session.measure { _, _ in }
      #expect((report.roundsRedone > 0) == isDisturbed)
      #expect(report.contests[0].contestants[0].isDisturbed == isDisturbed)
    }
  }

  @Test("A loop that the optimizer has taken away is found")
  func missingLoop() throws {
    let empty = Contest(
      group: "group", title: "first", metric: .cost, operationUnit: 1, reference: "a",
      contestants: [Contestant(name: "a") { _, count in count }])
    var session = Session(
      suites: [.init(name: "sample", about: "", contests: [empty])], run: .sample(), schedule: Self.schedule,
      instruments: ScriptedInstruments(isSteady: true))
    let complaints = session.measure { _, _ in }.complaints
    #expect(try #require(complaints.first).contains("sample, group, first: a: 4 times the operations take"))
  }

  @Test("Batches run until the time is over, and a worker that sees it pass ends the round for the others")
  func batches() {
    let isOver = IsolatedBox(Atomic(false))
    let instruments = ScriptedInstruments(isSteady: true)
    // The clock shows 20 µs before the first batch, and 40, 60 and 80 µs after the batches.
    let record = WorkerRecord.running(
      { worker, count in worker * count }, worker: 3, batchSize: 100, from: 1, for: 70_000,
      isOver: isOver.pointer.pointee, instruments: instruments)
    #expect(record.started == 1)
    #expect(record.began == 20_000)
    #expect(record.finished == 80_000)
    #expect(record.operations == 300)
    #expect(record.greatestResult == 300)
    #expect(record.checksum == 900)
    // The round is over, so another worker completes one batch.
    let other = WorkerRecord.running(
      { _, count in count }, worker: 0, batchSize: 10, from: 0, for: .max, isOver: isOver.pointer.pointee,
      instruments: instruments)
    #expect(other.operations == 10)
  }

  @Test("Interrupted: what all contestants have finished stays, and the rest is left out")
  func interruption() {
    /// Runs the suite, and interrupts it as soon as more than `count` measurements have begun.
    func report(stoppingAfter count: Int) -> Report {
      var session = session(.sample(contests: ["first": ["a", "b"], "second": ["c", "d"]]))
      var begun = 0
      return session.measure(isInterrupted: { begun > count }) { _, _ in begun += 1 }
    }
    // Eight measurements are a warm-up of each of the four contestants, and a round of each.
    let some = report(stoppingAfter: 8)
    #expect(some.isInterrupted)
    #expect(some.contests.map(\.title) == ["first", "second"])
    #expect(some.contests.flatMap(\.contestants).allSatisfy { $0.rounds.count == 1 })
    // Six measurements are four warm-ups and a round of "a" and "b", so only their contest has results.
    #expect(report(stoppingAfter: 6).contests.map(\.title) == ["first"])
    #expect(report(stoppingAfter: 4).contests.isEmpty)
    #expect(!report(stoppingAfter: 16).isInterrupted)
  }

  // MARK: Rounds that don't end

  /// A suite with two contestants; when "b" is stuck, its worker 1 waits until `release` is signaled.
  private static func stuckSuite(
    release: DispatchSemaphore, isCheckStuck: Bool = false, isStuck: @escaping @Sendable () -> Bool
  ) -> BenchmarkHarness.Suite {
    let contest = Contest(
      group: "group", title: "first", metric: .throughput, threads: 2, operationUnit: 1, reference: "a",
      contestants: [
        Contestant(name: "a") { _, count in count },
        Contestant(
          name: "b",
          batch: { worker, count in
            if worker == 1, isStuck() { release.wait() }
            return count
          },
          audit: {
            if isCheckStuck { release.wait() }
            return nil
          }),
      ])
    return .init(name: "sample", about: "", contests: [contest])
  }

  @Test(
    "A round that does not end is given up, at its limit or soon after an interruption; the rest stays",
    arguments: [false, true])
  func stuckRound(isInterrupted: Bool) {
    let release = DispatchSemaphore(value: 0)
    defer { release.signal() }
    let begun = IsolatedBox(Atomic(0))
    // The first four measurements are a warm-up and a round of "a" and of "b". Then "b" is stuck in its
    // second round.
    @Sendable func isStuck() -> Bool { begun.pointer.pointee.load(ordering: .relaxed) > 4 }
    var session = session(
      Self.stuckSuite(release: release, isStuck: isStuck), limit: isInterrupted ? .max : 20_000)
    let report = session.measure(isInterrupted: { isInterrupted && isStuck() }) { _, _ in
      begun.pointer.pointee.add(1, ordering: .relaxed)
    }
    #expect(report.isInterrupted)
    #expect(report.contests[0].contestants.map(\.rounds.count) == [1, 1])
    if !isInterrupted {
      #expect(report.complaints == ["sample, group, first: b: a round did not end within 20.0 s"])
    }
  }

  @Test("An interruption ends a round whose batches end, and its figures don't count")
  func interruptedRound() {
    let begun = IsolatedBox(Atomic(0))
    @Sendable func isInThird() -> Bool { begun.pointer.pointee.load(ordering: .relaxed) > 2 }
    var schedule = Self.schedule
    schedule.alone = 1
    schedule.limit = .max
    var session = Session(
      suites: [.sample(contests: ["first": ["a"]], metric: .throughput)], run: .sample(),
      schedule: schedule, instruments: ScriptedInstruments(isSteady: true, isStopped: isInThird))
    // The warm-up and the first round end, because the time passes. The second round is endless.
    let report = session.measure(isInterrupted: isInThird) { _, _ in
      begun.pointer.pointee.add(1, ordering: .relaxed)
    }
    #expect(report.isInterrupted)
    #expect(report.contests[0].contestants.map(\.rounds.count) == [1])
    #expect(report.complaints.isEmpty)
  }

  @Test("A check of results that does not end is given up, and no figure is lost")
  func stuckCheck() {
    let release = DispatchSemaphore(value: 0)
    defer { release.signal() }
    var session = session(Self.stuckSuite(release: release, isCheckStuck: true) { false }, limit: 20_000)
    let report = session.measure { _, _ in }
    #expect(!report.isInterrupted)
    #expect(report.contests[0].contestants.map(\.rounds.count) == [3, 3])
    #expect(
      report.complaints == ["sample, group, first: b: the check of its results did not end within 20.0 s"])
  }

  @Test("A contest may have fewer rounds than the others, and a contestant's complaint has its name")
  func mostRounds() {
    var suite = BenchmarkHarness.Suite.sample(contests: ["first": ["a"]], complaint: "two writers at once")
    suite.contests.append(
      Contest(
        group: "group", title: "short", metric: .cost, operationUnit: 1, reference: "b",
        contestants: [Contestant(name: "b") { $0 + $1 }], mostRounds: 2))
    var session = Session(
      suites: [suite], run: .sample(), schedule: Self.schedule, instruments: SystemInstruments())
    let report = session.measure { _, _ in }
    #expect(report.contests.map { $0.contestants[0].rounds.count } == [3, 2])
    #expect(report.complaints.contains("sample, group, first: a: two writers at once"))
  }

  @Test("A batch takes about 20 µs, and has whole repetitions")
  func batchSize() {
    let contest = BenchmarkHarness.Suite.sample(contests: ["first": ["a"]]).contests[0]
    func size(_ operations: Int, _ nanoseconds: UInt64) -> Int {
      Session<SystemInstruments>.batchSize(operations: operations, nanoseconds: nanoseconds, contest)
    }
    #expect(size(1_000, 10_000) == 2_000)
    #expect(size(1, 1_000_000) == 10)
  }

  @Test("A pool runs each job on the threads that it asks for, and on no other")
  func pool() {
    let pool = WorkerPool(count: 4)
    let counts = (0..<4).map { _ in IsolatedBox(Atomic(0)) }
    for workers in [4, 2, 1] {
      pool.run(on: workers) { counts[$0].pointer.pointee.add(1, ordering: .relaxed) }
    }
    #expect(counts.map { $0.pointer.pointee.load(ordering: .relaxed) } == [3, 2, 1, 1])
  }
}
