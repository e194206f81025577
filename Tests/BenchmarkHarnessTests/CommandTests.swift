@testable import BenchmarkHarness
internal import Commands
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Command")
struct CommandTests {
  /// A console that records what is printed.
  private final class RecordingConsole: Console {
    var printed: [String] = []
    var complaints: [String] = []
    var progress: [String] = []

    func print(_ text: String) { printed.append(text) }
    func complain(_ text: String) { complaints.append(text) }
    func show(progress: String) { self.progress.append(progress) }
  }

  private func run(
    _ arguments: [String], isDebug: Bool = false, complaint: String? = nil, targets: [Target] = [],
    metric: Metric = .cost,
    signal: @escaping (RecordingConsole) -> Int32? = { _ in nil }
  ) -> (status: Command.Status, console: RecordingConsole) {
    let console = RecordingConsole()
    let command = Command(
      suites: [.sample(contests: ["first": ["a", "b"]], metric: metric, complaint: complaint)],
      targets: targets,
      console: console,
      build: BuildDescription(isDebug: isDebug, compiler: "Swift 9"), signal: { signal(console) })
    return (command.run(arguments), console)
  }

  /// A path for a temporary file that does not exist.
  private func temporaryPath() -> String {
    TestSupport.temporaryPath("benchmarks") + ".json"
  }

  @Test("Wrong arguments: one line that names the one at fault, and status 2")
  func wrongArguments() {
    let (status, console) = run(["--fast"])
    #expect(status == .wrongArguments)
    #expect(status.code == 2)
    #expect(console.complaints == ["benchmarks: unknown argument: --fast (see --help)"])
    #expect(console.printed.isEmpty)
  }

  @Test("A filter that nothing passes: status 2")
  func emptySelection() {
    let (status, console) = run(["--filter", "zzz", "--filter", "yyy"])
    #expect(status == .wrongArguments)
    #expect(
      console.complaints == [
        "benchmarks: --filter: nothing has 'zzz' or 'yyy' in its path (see --list, and --full --list)"
      ])
  }

  @Test("--help and --list print and measure nothing, in a debug build too")
  func helpAndList() {
    #expect(run(["--help"], isDebug: true).console.printed == [Options.help])
    let (status, console) = run(["--list", "--filter", "/b"], isDebug: true)
    #expect(status == .measured)
    #expect(console.printed == ["sample/group/first/b"])
  }

  @Test("A debug build refuses, and says what to do")
  func debugBuild() throws {
    let (status, console) = run([], isDebug: true)
    #expect(status == .failed)
    #expect(try #require(console.complaints.first).contains("swift run -c release benchmarks"))
    #expect(console.printed.isEmpty)
  }

  @Test("A debug build that is allowed labels its tables")
  func allowedDebugBuild() {
    let (status, console) = run(["--allow-debug", "--quick"], isDebug: true)
    #expect(status == .measured)
    #expect(console.printed.joined().contains("[DEBUG BUILD, not a measurement] group"))
  }

  @Test("Progress is shown, and taken away at the end")
  func progress() {
    let (_, console) = run(["--quick", "--filter", "/a"])
    #expect(console.progress.first == ProgressLine(done: 0, elapsed: 0, what: "sample, group, first: a").text)
    #expect(console.progress.last == "")
  }

  @Test("The JSON file holds the report, and nothing of what was in it")
  func jsonFile() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try String(repeating: "x", count: 100_000).write(toFile: path, atomically: false, encoding: .utf8)
    #expect(run(["--quick", "--json", path]).status == .measured)
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect((object as? [String: Any])?["schema"] as? Int == 2)
  }

  @Test("A JSON file that can't be written is complained about before anything is measured")
  func unwritableFile() {
    let path = temporaryPath() + "/missing/out.json"
    let (status, console) = run(["--quick", "--json", path])
    #expect(status == .failed)
    #expect(console.complaints == ["benchmarks: can't write \(path): No such file or directory"])
    #expect(console.progress.isEmpty)
  }

  @Test("A contestant whose operations went wrong makes the program fail")
  func complaint() {
    let (status, console) = run(["--quick", "--filter", "/a"], complaint: "lost writes")
    #expect(status == .failed)
    #expect(console.complaints == ["benchmarks: sample, group, first: a: lost writes"])
  }

  /// Makes a new temporary directory.
  private func temporaryDirectory() throws -> String {
    let path = temporaryPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test("Charts and page are written, also from a JSON report, where they are the same")
  func renderings() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let status = run([
      "--quick", "--json", "\(directory)/a.json", "--svg", "\(directory)/deep/charts", "--html",
      "\(directory)/a.html",
    ]).status
    #expect(status == .measured)
    let (again, console) = run(
      [
        "--from", "\(directory)/a.json", "--svg", "\(directory)/again", "--html", "\(directory)/b.html",
        "--json",
        "\(directory)/b.json",
      ], isDebug: true)
    #expect(again == .measured)
    #expect(console.progress.isEmpty)
    #expect(try #require(console.printed.first).contains("group: nanoseconds"))
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
    }
    #expect(try text("a.json") == text("b.json"))
    #expect(try text("a.html") == text("b.html"))
    #expect(try text("deep/charts/sample-group.svg") == text("again/sample-group.svg"))
    #expect(try text("a.html").contains("</svg>"))
  }

  @Test("A report that is none is complained about")
  func unreadable() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = "\(directory)/a.json"
    #expect(
      run(["--from", path]).console.complaints == [
        "benchmarks: can't read \(path): No such file or directory"
      ])
    try "[1,".write(toFile: path, atomically: false, encoding: .utf8)
    let (status, console) = run(["--quick", "--compare", path])
    #expect(status == .failed)
    #expect(
      console.complaints == [
        "benchmarks: \(path) is no report: no JSON: Unexpected end of file during JSON parse."
      ])
    #expect(console.progress.isEmpty)
  }

  @Test("A slower figure than before gives a status of its own")
  func comparison() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    func write(_ report: Report, _ name: String) throws {
      try report.json.write(
        toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
    }
    try write(.sample(["ref": [10, 10, 10, 10, 10], "a": [10, 10, 10, 10, 10]]), "old.json")
    try write(.sample(["ref": [10, 10, 10, 10, 10], "a": [15, 15, 15, 15, 15]]), "new.json")
    let (status, console) = run(["--from", "\(directory)/new.json", "--compare", "\(directory)/old.json"])
    #expect(status == .slower)
    #expect(status.code == 3)
    #expect(console.printed.joined().contains("slower: sample, group, first: a"))
    #expect(
      run(["--from", "\(directory)/old.json", "--compare", "\(directory)/new.json"]).status == .measured)
    try write(.sample(["ref": [10, 10, 10], "a": [15, 15, 15]]), "short.json")
    let (unjudged, words) = run(["--from", "\(directory)/short.json", "--compare", "\(directory)/old.json"])
    #expect(unjudged == .failed)
    #expect(words.printed.joined().contains("1 not judged"))
  }

  @Test("A regression is found although a filter left out the reference")
  func filteredComparison() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    func write(_ report: Report, _ name: String) throws {
      try report.json.write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
    }
    let slow = Report.sample(["ref": [10, 10, 10, 10, 10], "a": [100, 100, 100, 100, 100]])
    var contest = slow.contests[0]
    contest.contestants.removeFirst()
    try write(.sample(["ref": [10, 10, 10, 10, 10], "a": [10, 10, 10, 10, 10]]), "old.json")
    try write(Report(run: slow.run, suites: slow.suites, contests: [contest]), "new.json")
    let (status, console) = run(["--from", "\(directory)/new.json", "--compare", "\(directory)/old.json"])
    #expect(status == .slower)
    #expect(console.printed.joined().contains("slower: sample, group, first: a"))
    try write(.sample(["x": [1, 1, 1, 1, 1]], suite: "other"), "other.json")
    #expect(
      run(["--from", "\(directory)/new.json", "--compare", "\(directory)/other.json"]).status == .failed)
  }

  @Test("--check makes the status depend on the targets")
  func check() {
    func target(_ bound: Target.Bound) -> Target {
      Target(
        "b alone",
        .ratio(.init("sample", "group", "first", "b"), over: .init("sample", "group", "first", "b")), bound)
    }
    // The metric is a number of bytes. Other programs on a busy machine do not change it, so the outcome is
    // certain.
    let held = run(["--quick", "--check"], targets: [target(.atMost(1))], metric: .bytes)
    #expect(held.status == .measured)
    #expect(held.console.printed.joined().contains("1 of 1 targets hold"))
    #expect(run(["--quick", "--check"], targets: [target(.atMost(0.9))], metric: .bytes).status == .failed)
    #expect(run(["--quick"], targets: [target(.atMost(0.9))]).status == .measured)
  }

  @Test("Interrupted: what is finished is printed and written, with a status of its own")
  func interruption() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    // The signal arrives in the fifth measurement. The first four are a warm-up of each of the two
    // contestants, and then a round of each.
    let (status, console) = run(["--quick", "--json", "\(directory)/a.json"]) {
      $0.progress.count > 4 ? SIGTERM : nil
    }
    #expect(status == .interrupted(signal: SIGTERM))
    #expect(status.code == 143)
    #expect(Command.Status.interrupted(signal: SIGINT).code == 130)
    #expect(console.printed.joined().contains("INTERRUPTED"))
    let report = try Report(file: "\(directory)/a.json")
    #expect(report.isInterrupted)
    #expect(report.contests.flatMap(\.contestants).map(\.rounds.count) == [1, 1])
  }

  @Test("Interrupted, a part is not written over what is in a file")
  func interruptedOverCompleteReport() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let files = ["a.json", "a.html", "charts/sample-group.svg"].map { "\(directory)/\($0)" }
    let arguments = ["--quick", "--json", files[0], "--html", files[1], "--svg", "\(directory)/charts"]
    #expect(run(arguments).status == .measured)
    let complete = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let (status, console) = run(arguments) { $0.progress.count > 4 ? SIGINT : nil }
    #expect(status == .interrupted(signal: SIGINT))
    #expect(try files.map { try String(contentsOfFile: $0, encoding: .utf8) } == complete)
    #expect(
      Set(console.complaints.dropFirst())
        == Set(files.map { "benchmarks: \($0) keeps what is in it: the report is incomplete" }))
  }

  @Test("A signal after the last measurement does not make the report incomplete")
  func lateSignal() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "something".write(toFile: path, atomically: false, encoding: .utf8)
    // The signal arrives when the progress display is cleared. That is after the last measurement, so the
    // report is complete.
    let (status, _) = run(["--quick", "--json", path]) { $0.progress.last == "" ? SIGINT : nil }
    #expect(status == .interrupted(signal: SIGINT))
    #expect(try !Report(file: path).isInterrupted)
  }

  @Test("A file that can't be written does not keep the tables from being printed")
  func failingFile() {
    let (status, console) = run(["--quick", "--json", "/dev/full"])
    #expect(status == .failed)
    #expect(console.printed.joined().contains("group: nanoseconds"))
  }

  @Test("The seed is in the tables, and a given one is used")
  func seed() {
    #expect(run(["--quick", "--seed", "42"]).console.printed.joined().contains("--seed 42"))
  }
}
