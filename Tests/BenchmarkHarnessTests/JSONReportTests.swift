internal import Commands
internal import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("JSON report")
struct JSONReportTests {
  @Test("It has the machine, every round, the summaries and the targets")
  func report() throws {
    let measurements = Measurements.sample([2, 4, 6], [1, 2, 2], wait: 900)
    let document = JSONReport(
      Report(
        run: .sample(), suites: [],
        targets: [Target("a waits", .longestWait(.init("sample", "group", "first", "a")), .atMost(1))],
        measurements: measurements)
    ).document
    // What another program makes of it.
    let object = try JSONSerialization.jsonObject(with: Data(document.text.utf8))
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

  @Test("What is read again is what was written")
  func roundTrip() throws {
    for report in [Report.variety(), .variety(isDebug: true), .sample(["a": [1, 2], "b": []])] {
      let text = JSONReport(report).document.text
      #expect(try Report(document: try JSONParser.value(of: text)) == report)
    }
  }

  @Test(
    "What is no report is refused, with what is wrong",
    arguments: [
      ("{}", "no 'schema', or of another kind"),
      (#"{"schema": 1}"#, "its schema is 1, and this program reads 2"),
      (#"{"schema": 2}"#, "no 'machine', or of another kind"),
    ])
  func refused(text: String, reason: String) throws {
    let document = try JSONParser.value(of: text)
    let error = #expect(throws: Report.Unreadable.self) { try Report(document: document) }
    #expect(error?.description == reason)
  }

  @Test("A member of another kind is refused")
  func wrongKind() throws {
    let text = JSONReport(.variety()).document.text
    for (good, bad) in [
      ("\"metric\": \"cost\"", "\"metric\": \"price\""), ("\"rounds\": [", "\"rounds\": [true, "),
      ("\"claim\"", "\"title\""), ("\"seed\": \"", "\"seed\": \"x"),
    ] {
      #expect(text.contains(good))
      let document = try JSONParser.value(of: text.replacingOccurrences(of: good, with: bad))
      #expect(throws: Report.Unreadable.self) { try Report(document: document) }
    }
  }
}
