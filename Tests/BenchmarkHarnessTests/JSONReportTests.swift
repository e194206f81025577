internal import BenchmarkHarness
internal import Commands
internal import Foundation
internal import Testing

@Suite("JSON report")
struct JSONReportTests {
  @Test("A report has the machine, every round, the summaries and the targets")
  func report() throws {
    let measurements = Measurements.sample([2, 4, 6], [1, 2, 2], wait: 900)
    let place = Target.Place("sample", "group", "first", "a")
    let outcome = try #require(
      Target("a waits", .longestWait(place), .atMost(1)).outcome(in: measurements))
    let text = JSONReport(run: .sample(), measurements: measurements, targets: [outcome]).document.text
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(report["schema"] as? Int == 1)
    #expect((report["machine"] as? [String: Any])?["processor"] as? String == "A \"fast\" processor")
    #expect((report["build"] as? [String: Any])?["configuration"] as? String == "release")
    #expect(report["roundsRedone"] as? Int == 3)

    let contest = try #require((report["contests"] as? [[String: Any]])?.first)
    #expect(contest["unit"] as? String == "ns")
    let contestants = try #require(contest["contestants"] as? [[String: Any]])
    #expect(contestants.map { $0["name"] as? String } == ["a", "b"])
    #expect(contestants[1]["rounds"] as? [Double] == [1, 2, 2])
    #expect((contestants[1]["summary"] as? [String: Any])?["median"] as? Double == 2)
    // 1/2, 2/4, 2/6
    #expect((contestants[1]["ratioToReference"] as? [String: Any])?["median"] as? Double == 0.5)
    let waits = try #require(contestants[0]["waitRound"] as? [String: Any])
    #expect(waits["longestWaitNanoseconds"] as? Int == 900)
    #expect(waits["nanoseconds"] as? Int == 1_500_000_000)

    let target = try #require((report["targets"] as? [[String: Any]])?.first)
    #expect(target["claim"] as? String == "a waits")
    #expect(target["atMost"] as? Double == 1)
    #expect(target["holds"] as? Bool == true)
  }
}
