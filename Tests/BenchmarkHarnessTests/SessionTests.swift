@testable import BenchmarkHarness
internal import Synchronization
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

  /// Clocks and counters (see `Instruments`) that count one more involuntary context switch at each reading.
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
  /// share of the work.
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
    func measurements(stoppingAfter count: Int) -> Measurements {
      let suite = Suite.sample(contests: ["first": ["a", "b"], "second": ["c"]])
      var session = Session(
        suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
      var left = count
      return session.run(isInterrupted: {
        left -= 1
        return left < 0
      }) { _, _ in }
    }
    // After seven measurements, all three measured implementations have a warm-up and a round, and one has a
    // second round.
    let some = measurements(stoppingAfter: 7)
    #expect(some.isInterrupted)
    #expect(some.contests.map(\.title) == ["first", "second"])
    #expect(some.contests.flatMap(\.contestants).allSatisfy { $0.rounds.count == 1 })
    // After five measurements, only the contest (see `Contest`) named "first" has a complete round.
    #expect(measurements(stoppingAfter: 5).contests.map(\.title) == ["first"])
    #expect(measurements(stoppingAfter: 3).contests.isEmpty)
    let all = measurements(stoppingAfter: 12)
    #expect(!all.isInterrupted)
    #expect(all.contests.flatMap(\.contestants).allSatisfy { $0.rounds.count == 3 })
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

  /// Clocks and counters (see `Instruments`) whose clock advances by the same time at each reading.
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

  @Test("What a contestant finds wrong is reported with its name")
  func complaints() {
    var session = Session(
      suites: [.sample(contests: ["first": ["a"]], complaint: "two writers at once")], schedule: schedule,
      processors: 1, instruments: SystemInstruments())
    #expect(
      session.run { _, _ in }.complaints == ["sample, group, first: a: two writers at once"])
  }
}
