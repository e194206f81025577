internal import Commands
@testable import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("JSON report")
struct ReportJSONTests {
  @Test("It has the machine, every round, the summaries and the targets")
  func report() throws {
    let measurements = Measurements.sample([2, 4, 6], [1, 2, 2], wait: 900)
    let text = try Report(
      run: .sample(), suites: [],
      targets: [Target("a waits", .longestWait(.init("sample", "group", "first", "a")), .atMost(1))],
      measurements: measurements
    ).json
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let report = try #require(object as? [String: Any])
    #expect(report["schema"] as? Int == 2)
    #expect((report["machine"] as? [String: Any])?["processor"] as? String == "A \"fast\" processor")
    #expect((report["build"] as? [String: Any])?["configuration"] as? String == "release")
    #expect((report["options"] as? [String: Any])?["seed"] as? String == "18446744073709551615")
    #expect(report["roundsRedone"] as? Int == 3)

    let contest = try #require((report["contests"] as? [[String: Any]])?.first)
    #expect(contest["unit"] as? String == "ns")
    let contestants = try #require(contest["contestants"] as? [[String: Any]])
    #expect(contestants.map { $0["name"] as? String } == ["a", "b"])
    #expect(contestants[1]["rounds"] as? [Double] == [1, 2, 2])
    #expect((contestants[1]["summary"] as? [String: Any])?["median"] as? Double == 2)
    #expect(contestants[0]["mark"] as? String == "wide")
    // The ratios are 1/2, 2/4 and 2/6.
    #expect((contestants[1]["ratioToReference"] as? [String: Any])?["median"] as? Double == 0.5)
    let waits = try #require(contestants[0]["waitRound"] as? [String: Any])
    #expect(waits["longestWaitNanoseconds"] as? Int == 900)
    #expect(waits["nanoseconds"] as? Int == 1_500_000_000)

    let target = try #require((report["targets"] as? [[String: Any]])?.first)
    #expect(target["claim"] as? String == "a waits")
    #expect(target["atMost"] as? Double == 1)
    #expect(target["holds"] as? Bool == true)
    #expect(target["verdict"] as? String == "holds")
  }

  @Test("It has a noise floor for each number of threads and kind of contest")
  func noiseFloors() throws {
    let contests = [
      Report.sample(["one": [10], "other": [11]], suite: NoiseFloor.suite, threads: 16),
      .sample(["one": [10], "other": [12]], suite: NoiseFloor.suite, metric: .handOffs),
    ].flatMap(\.contests)
    let text = try Report(run: .sample(), suites: [], contests: contests).json
    let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let floor = try #require(report["noiseFloorPercent"] as? [String: Any])
    let byThreads = try #require(floor["byThreads"] as? [String: Double])
    #expect(Array(byThreads.keys) == ["16"])
    #expect(abs((floor["severalThreads"] as? Double ?? 0) - 10) < 1e-9)
    #expect(abs((floor["handOffs"] as? Double ?? 0) - 20) < 1e-9)
    #expect(floor["oneThread"] is NSNull)
  }

  @Test("A report that is read again equals the written one")
  func roundTrip() throws {
    for report in [Report.variety(), .variety(isDebug: true), .sample(["a": [1, 2], "b": []])] {
      #expect(try Report(json: try report.json) == report)
    }
  }

  @Test(
    "A file that is no report is refused with the reason",
    arguments: [
      ("{}", "no 'schema'"), (#"{"schema": "2"}"#, "'schema' is of another kind"),
      (#"{"schema": 1}"#, "its schema is 1, and this program reads 2"),
      (#"{"schema": 2}"#, "no 'options'"),
    ])
  func refused(text: String, reason: String) throws {
    #expect(throws: FileFailure(reason)) { try Report(json: text) }
  }

  @Test("A member of another kind is refused")
  func wrongKind() throws {
    let text = try Report.variety().json
    for (good, bad, reason) in [
      (
        #""metric" : "cost""#, #""metric" : "price""#,
        "'contests.0.metric': Cannot initialize Metric from invalid String value price"
      ),
      (#""rounds" : ["#, #""rounds" : [true, "#, "'contests.0.contestants.0.rounds.0' is of another kind"),
      (#""claim""#, #""title""#, "no 'claim' in 'targets.0'"),
      (#""seed" : ""#, #""seed" : "x"#, "'options.seed': no number"),
    ] {
      #expect(text.contains(good))
      #expect(throws: FileFailure(reason)) {
        try Report(json: text.replacingOccurrences(of: good, with: bad))
      }
    }
  }

  @Test("A report that is kept in the repository is read")
  func kept() throws {
    let results = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/Results/epyc-2cpu.json")
    let report = try Report(file: results.path)
    #expect(report.run.machine.processorCount == 2)
    #expect(report.contests.count > 50)
    #expect(try Report(json: try report.json) == report)
  }
}
