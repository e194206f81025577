internal import BenchmarkHarness
internal import Commands
internal import Foundation
internal import Testing

@Suite("Command")
struct CommandTests {
  /// Remembers what is printed.
  private final class RecordingConsole: Console {
    var printed: [String] = []
    var complaints: [String] = []
    var progress: [String] = []

    func print(_ text: String) { printed.append(text) }
    func complain(_ text: String) { complaints.append(text) }
    func show(progress: String) { self.progress.append(progress) }
  }

  private func run(
    _ arguments: [String], isDebug: Bool = false, complaint: String? = nil
  ) -> (status: Command.Status, console: RecordingConsole) {
    let console = RecordingConsole()
    let command = Command(
      suites: [.sample(contests: ["first": ["a", "b"]], complaint: complaint)], targets: [], console: console,
      build: BuildDescription(isDebug: isDebug, compiler: "Swift 9"))
    return (command.run(arguments), console)
  }

  /// A path in a directory for temporary files; nothing is there.
  private func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString).json").path
  }

  @Test("Wrong arguments: one line that names the one at fault, and status 2")
  func wrongArguments() {
    let (status, console) = run(["--fast"])
    #expect(status == .wrongArguments)
    #expect(status.rawValue == 2)
    #expect(console.complaints == ["benchmarks: unknown argument: --fast (see --help)"])
    #expect(console.printed.isEmpty)
  }

  @Test("A filter that nothing passes: status 2")
  func emptySelection() {
    let (status, console) = run(["--filter", "zzz", "--filter", "yyy"])
    #expect(status == .wrongArguments)
    #expect(
      console.complaints == ["benchmarks: --filter: nothing has 'zzz' or 'yyy' in its path (see --list)"])
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
    #expect(console.progress.first == "0 %  sample, group, first: a")
    #expect(console.progress.last == "")
  }

  @Test("The JSON file holds the report, and nothing of what was in it")
  func jsonFile() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try String(repeating: "x", count: 100_000).write(toFile: path, atomically: false, encoding: .utf8)
    #expect(run(["--quick", "--json", path]).status == .measured)
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect((object as? [String: Any])?["schema"] as? Int == JSONReport.schema)
  }

  @Test("A JSON file that can't be written is complained about before anything is measured")
  func unwritableFile() {
    let path = temporaryPath() + "/missing/out.json"
    let (status, console) = run(["--quick", "--json", path])
    #expect(status == .failed)
    #expect(console.complaints == ["benchmarks: --json: can't write \(path): No such file or directory"])
    #expect(console.progress.isEmpty)
  }

  @Test("A contestant whose operations went wrong makes the program fail")
  func complaint() {
    let (status, console) = run(["--quick", "--filter", "/a"], complaint: "lost writes")
    #expect(status == .failed)
    #expect(console.complaints == ["benchmarks: sample, group, first: a: lost writes"])
  }
}
