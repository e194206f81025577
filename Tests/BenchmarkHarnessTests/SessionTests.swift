@testable import BenchmarkHarness
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("Session")
struct SessionTests {
  private static let noTime = Schedule.Milliseconds(
    alone: 0, contended: 0, oversubscribed: 0, waits: 0, starvation: 0)
  private let schedule = Schedule(rounds: 3, milliseconds: noTime)

  @Test("Each contestant gets its rounds, with all threads in each")
  func rounds() {
    let suite = Suite.sample(
      contests: ["first": ["a", "b"], "second": ["c"]], threads: 3, metric: .throughput)
    var session = Session(
      suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
    let measurements = session.run { _, _ in }
    #expect(measurements.contests.map(\.title) == ["first", "second"])
    for contestant in measurements.contests.flatMap(\.contestants) {
      #expect(contestant.rounds.count == 3)
      #expect(contestant.waitRound != nil)
    }
    for round in session.entries.flatMap({ $0.rounds.flatMap(\.self) + $0.waitRounds.compactMap(\.self) }) {
      #expect(round.workers.count == 3)
      #expect(round.workers.allSatisfy { $0.operations > 0 && $0.started == round.workers[0].started })
    }
    #expect(measurements.complaints.isEmpty)
    #expect(measurements.redone == 0)
  }

  @Test("Waits are not measured where one thread is alone")
  func noWaitsAlone() {
    var session = Session(
      suites: [.sample(contests: ["first": ["a"]])], schedule: schedule, processors: 1,
      instruments: SystemInstruments())
    #expect(session.run { _, _ in }.contests[0].contestants[0].waitRound == nil)
  }

  /// Instruments that show one more involuntary context switch at each reading, as on a busy machine.
  private final class HarriedInstruments: Instruments {
    private let looks = Atomic(0)

    func now() -> UInt64 { SystemInstruments().now() }

    func involuntarySwitches() -> Int { looks.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test("A worker without a processor disturbs its round, unless it only starts those that hand over")
  func disturbance() {
    for (metric, isDisturbed) in [(Metric.cost, true), (.handOffs, false)] {
      var session = Session(
        suites: [.sample(contests: ["first": ["a"]], metric: metric)], schedule: schedule, processors: 2,
        instruments: HarriedInstruments())
      let measurements = session.run { _, _ in }
      #expect((measurements.redone > 0) == isDisturbed)
      #expect(measurements.contests[0].contestants[0].isDisturbed == isDisturbed)
    }
  }

  /// Measures three implementations ("contestants") in a `Session`.
  ///
  /// Returns what the session reported before each measurement: the implementation's name, and the finished
  /// share of the work, from 0 to 1.
  private func order(seed: UInt64, rounds: Int = 4) -> (names: [String], shares: [Double]) {
    let schedule = Schedule(rounds: rounds, milliseconds: Self.noTime)
    var session = Session(
      suites: [.sample(contests: ["first": ["a", "b", "c"]])], schedule: schedule, processors: 1,
      instruments: SystemInstruments(), seed: seed)
    var names: [String] = []
    var shares: [Double] = []
    _ = session.run { what, done in
      names.append(what)
      shares.append(done)
    }
    return (names, shares)
  }

  @Test("A round goes through all contestants, in an order that the seed determines")
  func interleaving() {
    let (names, shares) = order(seed: 1)
    // Each of the three measured implementations has a warm-up and four rounds. None has a round that
    // measures waits.
    #expect(names.count == 15)
    for round in 0..<5 {
      #expect(
        Set(names[(round * 3)..<(round * 3 + 3)])
          == ["a", "b", "c"].reduce(into: []) {
            $0.insert("sample, group, first: \($1)")
          })
    }
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { (0..<1).contains($0) })
    #expect(order(seed: 1).names == names)
    #expect((2..<10).contains { order(seed: $0).names != names })
  }

  @Test("Interrupted: what all contestants have finished stays, and the rest is left out")
  func interruption() {
    /// Runs the suite, and interrupts it as soon as more than `count` measurements have begun.
    func measurements(stoppingAfter count: Int) -> Measurements {
      let suite = Suite.sample(contests: ["first": ["a", "b"], "second": ["c", "d"]])
      var session = Session(
        suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
      var begun = 0
      return session.run(isInterrupted: { begun > count }) { _, _ in begun += 1 }
    }
    // Eight measurements are a warm-up of each of the four measured implementations, and a round of each.
    let some = measurements(stoppingAfter: 8)
    #expect(some.isInterrupted)
    #expect(some.contests.map(\.title) == ["first", "second"])
    #expect(some.contests.flatMap(\.contestants).allSatisfy { $0.rounds.count == 1 })
    // Six measurements are four warm-ups and a round of "a" and "b", so only their contest has results.
    #expect(measurements(stoppingAfter: 6).contests.map(\.title) == ["first"])
    #expect(measurements(stoppingAfter: 4).contests.isEmpty)
    let all = measurements(stoppingAfter: 16)
    #expect(!all.isInterrupted)
    #expect(all.contests.flatMap(\.contestants).allSatisfy { $0.rounds.count == 3 })
  }

  // MARK: Rounds that don't end

  /// A suite with two contestants; when "b" is stuck, its worker 1 waits until `release` is sent.
  ///
  /// - Parameters:
  ///   - isStuck: Whether "b" is stuck in its next batch.
  ///   - isCheckStuck: Whether the check of the results of "b" waits instead.
  private static func stuckSuite(
    release: Signal, isCheckStuck: Bool = false, isStuck: @escaping @Sendable () -> Bool
  ) -> Suite {
    Suite(
      name: "sample", about: "",
      contests: [
        Contest(
          group: "group", title: "first", metric: .throughput, threads: 2, operationUnit: 1, reference: "a",
          contestants: [
            Contestant(name: "a") { _, count in count },
            Contestant(
              name: "b",
              batch: { worker, count in
                if worker == 1, !isCheckStuck, isStuck() { release.wait() }
                return count
              },
              audit: {
                if isCheckStuck { release.wait() }
                return nil
              }),
          ])
      ])
  }

  @Test("A round that does not end is given up: its contest and its threads are named, the rest stays")
  func stuckRound() throws {
    let release = Signal()
    defer { release.send() }
    let begun = RelaxedCounter()
    // The first four measurements are a warm-up and a round of "a" and of "b". Then "b" is stuck in its
    // second round.
    let suite = Self.stuckSuite(release: release) { begun.value > 4 }
    var session = Session(
      suites: [suite], schedule: Schedule(rounds: 3, milliseconds: Self.noTime, limitMilliseconds: 200),
      processors: 1, instruments: SystemInstruments())
    let measurements = session.run { _, _ in begun.add(1) }
    #expect(measurements.isInterrupted)
    #expect(measurements.contests[0].contestants.map(\.rounds.count) == [1, 1])
    let complaint = try #require(measurements.complaints.first)
    #expect(complaint.hasPrefix("sample, group, first: b: a round did not end within 0.2 s: worker 0 "))
    #expect(complaint.contains("worker 1 is in batch 1"))
    #if os(Linux)
      #expect(complaint.contains("worker 1 is in batch 1 and sleeps"))
    #endif
    #expect(measurements.complaints.count == 1)
  }

  @Test("A round that does not end is given up soon after an interruption, whatever its limit is")
  func stuckRoundInterrupted() throws {
    let release = Signal()
    defer { release.send() }
    let begun = RelaxedCounter()
    let suite = Self.stuckSuite(release: release) { begun.value > 4 }
    var session = Session(
      suites: [suite], schedule: Schedule(rounds: 3, milliseconds: Self.noTime, limitMilliseconds: .max),
      processors: 1, instruments: SystemInstruments())
    let measurements = session.run(isInterrupted: { begun.value > 4 }) { _, _ in begun.add(1) }
    #expect(measurements.isInterrupted)
    #expect(measurements.contests[0].contestants.map(\.rounds.count) == [1, 1])
  }

  @Test("An interruption ends a round whose batches end, and its figures don't count")
  func interruptedRound() {
    let suite = Suite.sample(contests: ["first": ["a", "b"]], metric: .throughput)
    // Without the interruption, even a warm-up would take almost three days.
    let endless = Schedule.Milliseconds(
      alone: 1_000_000_000, contended: 0, oversubscribed: 0, waits: 0, starvation: 0)
    var session = Session(
      suites: [suite], schedule: Schedule(rounds: 3, milliseconds: endless, limitMilliseconds: .max),
      processors: 1, instruments: SystemInstruments())
    var begun = 0
    let measurements = session.run(isInterrupted: { begun > 0 }) { _, _ in begun += 1 }
    #expect(measurements.isInterrupted)
    #expect(measurements.contests.isEmpty)
    #expect(measurements.complaints.isEmpty)
  }

  @Test("A check of results that does not end is given up, and no figure is lost")
  func stuckCheck() throws {
    let release = Signal()
    defer { release.send() }
    let suite = Self.stuckSuite(release: release, isCheckStuck: true) { false }
    var session = Session(
      suites: [suite], schedule: Schedule(rounds: 3, milliseconds: Self.noTime, limitMilliseconds: 200),
      processors: 1, instruments: SystemInstruments())
    let measurements = session.run { _, _ in }
    #expect(!measurements.isInterrupted)
    #expect(measurements.contests[0].contestants.map(\.rounds.count) == [3, 3])
    let complaint = try #require(measurements.complaints.first)
    #expect(
      complaint.hasPrefix(
        "sample, group, first: b: the check of its results did not end within 0.2 s: worker 0 is in check 2"))
  }

  @Test("Attendants take part in a round, and their operations don't count")
  func attendants() {
    let suite = Suite(
      name: "sample", about: "",
      contests: [
        Contest(
          group: "group", title: "first", metric: .bytes, threads: 2, attendants: 1, operationUnit: 1,
          reference: "a",
          contestants: [Contestant(name: "a") { worker, count in worker == 0 ? count : 1_000_000 * count }])
      ])
    var session = Session(
      suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
    let measurements = session.run { _, _ in }
    #expect(measurements.contests[0].contestants[0].rounds == [1, 1, 1])
    #expect(session.entries[0].rounds[0].allSatisfy { $0.workers.count == 2 && $0.fairness == 1 })
  }

  @Test("A contest may have fewer rounds than the others")
  func mostRounds() {
    var suite = Suite.sample(contests: ["first": ["a", "b"]])
    let contest = suite.contests[0]
    suite.contests.append(
      Contest(
        group: "group", title: "short", metric: .cost, threads: 1, operationUnit: 1, reference: "a",
        contestants: contest.contestants, mostRounds: 2))
    var session = Session(
      suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
    let contests = session.run { _, _ in }.contests
    #expect(contests[0].contestants.map(\.rounds.count) == [3, 3])
    #expect(contests[1].contestants.map(\.rounds.count) == [2, 2])
  }

  /// Instruments whose clock advances by 20 µs at each reading, so that every batch seems to take the same
  /// time.
  private final class SteadyInstruments: Instruments {
    private let looks = Atomic<UInt64>(0)

    func now() -> UInt64 { looks.wrappingAdd(20_000, ordering: .relaxed).newValue }

    func involuntarySwitches() -> Int { 0 }
  }

  @Test("A loop that the optimiser has taken away is found")
  func missingLoop() throws {
    let empty = Suite(
      name: "sample", about: "",
      contests: [
        Contest(
          group: "group", title: "first", metric: .cost, threads: 1, operationUnit: 1, reference: "a",
          contestants: [Contestant(name: "a") { _, count in count }])
      ])
    var session = Session(
      suites: [empty], schedule: schedule, processors: 1, instruments: SteadyInstruments())
    let complaints = session.run { _, _ in }.complaints
    #expect(try #require(complaints.first).contains("sample, group, first: a: 4 times the operations take"))
  }

  @Test("A contestant's complaint is reported with its name")
  func complaints() {
    var session = Session(
      suites: [.sample(contests: ["first": ["a"]], complaint: "two writers at once")], schedule: schedule,
      processors: 1, instruments: SystemInstruments())
    #expect(
      session.run { _, _ in }.complaints == ["sample, group, first: a: two writers at once"])
  }
}
