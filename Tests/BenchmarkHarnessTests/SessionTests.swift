internal import BenchmarkHarness
internal import Synchronization
internal import Testing

@Suite("Session")
struct SessionTests {
  private static let noTime = Schedule.Milliseconds(
    alone: 0, contended: 0, oversubscribed: 0, waits: 0, starvation: 0)
  private let schedule = Schedule(rounds: 3, milliseconds: noTime)

  @Test("Each contestant gets its rounds, with all threads in each")
  func rounds() throws {
    let suite = Suite.sample(
      contests: ["first": ["a", "b"], "second": ["c"]], threads: 3, metric: .throughput)
    var session = Session(
      suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
    let measurements = session.run { _, _ in }
    #expect(measurements.contests.map(\.title) == ["first", "second"])
    for contestant in measurements.contests.flatMap(\.contestants) {
      #expect(contestant.rounds.count == 3)
      let waitRound = try #require(contestant.waitRound)
      for round in contestant.rounds + [waitRound] {
        #expect(round.workers.count == 3)
        #expect(round.workers.allSatisfy { $0.operations > 0 && $0.started == round.workers[0].started })
      }
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

  @Test("A round goes through all contestants, and the next starts with another one")
  func interleaving() {
    let suite = Suite.sample(contests: ["first": ["a", "b", "c"]])
    let schedule = Schedule(rounds: 1, milliseconds: Self.noTime)
    var session = Session(
      suites: [suite], schedule: schedule, processors: 1, instruments: SystemInstruments())
    var order: [String] = []
    var shares: [Double] = []
    _ = session.run { what, done in
      order.append(what)
      shares.append(done)
    }
    let expected = ["a", "b", "c", "b", "c", "a", "c", "a", "b"]
    #expect(order == expected.map { "sample, group, first: \($0)" })
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { (0..<1).contains($0) })
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
