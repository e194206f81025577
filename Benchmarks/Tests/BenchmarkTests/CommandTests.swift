@testable import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("Options")
struct OptionsTests {
  @Test("Every option is understood, in any order, and a value may be attached with =")
  func allOptions() throws {
    let options = try Options(parsing: [
      "--json", "out.json", "--filter", "Mutex", "--quick", "--allow-debug", "--filter=a=b", "--list",
      "--svg", "charts", "--html=-page.html", "--compare", "old.json", "--check",
    ])
    #expect(options.effort == .quick)
    #expect(options.filter == ["Mutex", "a=b"])
    #expect(
      options.paths == [
        "--json": "out.json", "--svg": "charts", "--html": "-page.html", "--compare": "old.json",
      ])
    #expect(options.flags == ["--quick", "--allow-debug", "--list", "--check"])
    #expect(try Options(parsing: []).effort == .standard)
    #expect(try Options(parsing: ["--full"]).effort == .full)
    #expect(try Options(parsing: ["--from", "old.json", "--check"]).paths == ["--from": "old.json"])
  }

  @Test(
    "A wrong argument is refused by name",
    arguments: [
      (["--fast"], "unknown argument: --fast"), (["quick"], "unknown argument: quick"),
      (["--quick", "--full"], "--quick and --full exclude each other"),
      (["--quick=1"], "--quick takes no value: --quick=1"), (["--filter"], "--filter needs a text"),
      (["--filter", "--quick"], "--filter needs a text"), (["--filter="], "--filter needs a text"),
      (["--json", ""], "--json needs a file"), (["--json", "a", "--json", "b"], "--json is given twice"),
      (["--svg"], "--svg needs a directory"),
      (["--from", "a", "--quick"], "--from measures nothing: it excludes --quick"),
      (["--filter", "x", "--from", "a"], "--from measures nothing: it excludes --filter"),
    ])
  func wrongArguments(arguments: [String], message: String) {
    #expect(throws: Failure(message)) { try Options(parsing: arguments) }
  }
}

@Suite("Command")
final class CommandTests {
  /// A console that records what is printed.
  private final class RecordingConsole: Console {
    var printed: [String] = []
    var complaints: [String] = []
    var progress: [String] = []
    var failure: Failure? { nil }

    func print(_ text: String) { printed.append(text) }
    func complain(_ text: String) { complaints.append(text) }
    func show(progress: String) { self.progress.append(progress) }
  }

  private let directory = temporaryPath()

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Runs the command on a suite of two contestants that are fast and have the same figures.
  private func run(
    _ arguments: [String], complaint: String? = nil, bound: Target.Bound = .atMost(1),
    signal: @escaping (RecordingConsole) -> Int32? = { _ in nil }
  ) -> (status: Int32, console: RecordingConsole) {
    let console = RecordingConsole()
    let suite = BenchmarkHarness.Suite(
      name: "sample", about: "",
      contests: [
        Contest(
          group: "group", title: "first", metric: .bytes, operationUnit: 10, reference: "a",
          contestants: ["a", "b"].map { name in
            Contestant(name: name, batch: { _, count in count }, audit: { complaint })
          })
      ])
    let path = Target.Path("sample", "group", "first", "b")
    let command = Command(
      suites: [suite], targets: [Target("b / b", .ratio(path, over: [path]), bound)], console: console,
      signal: { signal(console) })
    return (command.run(arguments), console)
  }

  /// Runs a short measurement, also in a debug build.
  private func measure(
    _ arguments: [String] = [], complaint: String? = nil, bound: Target.Bound = .atMost(1),
    signal: @escaping (RecordingConsole) -> Int32? = { _ in nil }
  ) -> (status: Int32, console: RecordingConsole) {
    run(["--quick", "--allow-debug"] + arguments, complaint: complaint, bound: bound, signal: signal)
  }

  @Test("Wrong arguments, and a filter that nothing passes: one line, and status 2")
  func wrongArguments() {
    let (status, console) = run(["--fast"])
    #expect(status == 2)
    #expect(console.complaints == ["benchmarks: unknown argument: --fast (see --help)"])
    #expect(run(["--filter", "zzz"]).status == 2)
  }

  @Test("--help and --list print, and measure nothing")
  func helpAndList() {
    #expect(run(["--help"]).console.printed == [Options.help])
    let (status, console) = run(["--list", "--filter", "/B"])
    #expect(status == 0)
    #expect(console.printed == ["sample/group/first/b"])
    #expect(console.progress.isEmpty)
  }

  #if DEBUG
    @Test("A debug build refuses to measure, or says that its figures are none")
    func debugBuild() {
      #expect(run([]).status == 1)
      #expect(run([]).console.printed.isEmpty)
      #expect(measure().console.printed.joined().contains("DEBUG BUILD, not a measurement"))
    }
  #endif

  @Test("Progress is shown, and taken away at the end")
  func progress() {
    let console = measure().console
    #expect(
      console.progress.first?.hasSuffix("▏ 0 %  sample, group, first: a") == true
        || console.progress.first?.hasSuffix("▏ 0 %  sample, group, first: b") == true)
    #expect(console.progress.last == "")
    #expect(
      Command.progress(done: 0.25, elapsed: 30, what: "x")
        == "▕█████               ▏ 25 %, 1:30 left  x")
  }

  @Test("A contestant whose operations went wrong makes the program fail")
  func complaint() {
    let (status, console) = measure(["--filter", "/a"], complaint: "lost writes")
    #expect(status == 1)
    #expect(console.complaints == ["benchmarks: sample, group, first: a: lost writes"])
  }

  @Test("--check makes the status depend on the targets")
  func check() {
    #expect(measure(["--check"]).status == 0)
    #expect(measure(["--check"], bound: .atMost(0.9)).status == 1)
    #expect(measure(bound: .atMost(0.9)).status == 0)
  }

  @Test("Page, charts and report are written, and are the same when they are made from the report")
  func files() throws {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
    }
    try Report.variety().json.write(
      toFile: "\(directory)/a.json", atomically: false, encoding: .utf8)
    #expect(try Report(json: text("a.json")) == .variety())
    let (status, console) = run(
      [
        "--from", "\(directory)/a.json", "--json=\(directory)/b.json", "--html=\(directory)/b.html",
        "--svg=\(directory)/charts",
      ])
    #expect(status == 1)
    #expect(console.complaints == ["benchmarks: something & other"])
    #expect(console.progress.isEmpty)
    #expect(try text("a.json") == text("b.json"))
    #expect(try text("b.html").contains("</svg>"))
    #expect(try text("charts/two-frames.svg").hasPrefix("<svg"))
    // A new report replaces all of an old one.
    #expect(measure(["--json", "\(directory)/b.json"]).status == 0)
    #expect(try Report(json: text("b.json")).contests.flatMap(\.contestants).map(\.rounds.count) == [3, 3])
  }

  @Test("A file that can't be read or written is complained about before anything is measured")
  func unusableFiles() throws {
    let (status, console) = measure(["--json", "\(directory)/missing/out.json"])
    #expect(status == 1)
    #expect(
      console.complaints == [
        "benchmarks: can't write \(directory)/missing/out.json: No such file or directory"
      ])
    let path = "\(directory)/a.json"
    for text in ["[1,", "{\"schema\": 1}"] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      let (status, console) = measure(["--compare", path])
      #expect(status == 1)
      #expect(console.complaints.first?.contains("\(path) can't be read as a report") == true)
      #expect(console.progress.isEmpty)
    }
    #if os(Linux)
      let full = measure(["--json", "/dev/full"])
      #expect(full.status == 1)
      #expect(full.console.printed.joined().contains("group: bytes"))
    #endif
  }

  @Test("A slower figure than before gives a status of its own, and none to judge is a failure")
  func comparison() throws {
    func compare(_ new: [Double], with old: [Double]) throws -> (status: Int32, console: RecordingConsole) {
      let paths = ["new", "old"].map { "\(directory)/\($0).json" }
      for (path, figures) in zip(paths, [new, old]) {
        let report = Report.sample(["ref": figures.map { _ in 10 }, "a": figures])
        try report.json.write(toFile: path, atomically: false, encoding: .utf8)
      }
      return run(["--from", paths[0], "--compare", paths[1]])
    }
    let (fast, slow) = ([10.0, 10, 10, 10, 10], [15.0, 15, 15, 15, 15])
    let (status, console) = try compare(slow, with: fast)
    #expect(status == 3)
    #expect(console.printed.joined().contains("slower: sample, group, first: a"))
    #expect(try compare(fast, with: slow).status == 0)
    #expect(try compare([15, 15], with: fast).status == 1)
  }

  @Test("Interrupted: what is finished is printed, and written to files without contents")
  func interruption() throws {
    let (empty, complete) = ("\(directory)/a.json", "\(directory)/b.html")
    try "complete".write(toFile: complete, atomically: false, encoding: .utf8)
    // The signal arrives in the fifth measurement. The first four are a warm-up of each of the two
    // contestants, and then a round of each.
    let (status, console) = measure(["--json", empty, "--html", complete]) {
      $0.progress.count > 4 ? SIGTERM : nil
    }
    #expect(status == 143)
    #expect(console.printed.joined().contains("INTERRUPTED"))
    let report = try Report(json: String(contentsOfFile: empty, encoding: .utf8))
    #expect(report.isInterrupted)
    #expect(report.contests.flatMap(\.contestants).map(\.rounds.count) == [1, 1])
    #expect(try String(contentsOfFile: complete, encoding: .utf8) == "complete")
    #expect(
      console.complaints.contains(
        "benchmarks: \(complete) keeps what is in it: the report is incomplete"))
    // After the last measurement, when the progress display is cleared, the report is complete.
    let late = measure(["--html", complete]) { $0.progress.last == "" ? SIGINT : nil }
    #expect(late.status == 130)
    #expect(try String(contentsOfFile: complete, encoding: .utf8).contains("</html>"))
  }
}
