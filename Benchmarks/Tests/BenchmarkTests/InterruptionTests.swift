internal import BenchmarkHarness
internal import Foundation
internal import Testing

/// The program that is built with these tests, in a process of its own.
private final class Program {
  private let process = Process()
  private let printed = Pipe()
  private let complaints = Pipe()

  /// Starts the program.
  ///
  /// - Parameter output: The file that standard output goes to; `nil` for a pipe.
  init(_ arguments: [String], output: String? = nil) throws {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("benchmarks")
    process.arguments = arguments
    if let output {
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
      // Without a writer, the pipe is at its end.
      try printed.fileHandleForWriting.close()
    } else {
      process.standardOutput = printed
    }
    process.standardError = complaints
    try process.run()
  }

  /// Waits until `condition` holds; fails the test if that takes four minutes, which is far beyond any normal run.
  func wait(_ comment: Comment, until condition: () -> Bool) throws {
    let deadline = Date.now.addingTimeInterval(240)
    while !condition() {
      if Date.now > deadline {
        kill(process.processIdentifier, SIGKILL)
        throw Failure("still waiting for \(comment)")
      }
      usleep(10_000)
    }
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the end of the program, and returns its exit status.
  func waitForEnd() throws -> Int32 {
    try wait("the end") { !process.isRunning }
    #expect(process.terminationReason == .exit)
    return process.terminationStatus
  }

  /// What the program has printed; to be called after its end.
  var texts: (printed: String, complaints: String) {
    let data = [printed, complaints].map { $0.fileHandleForReading.readDataToEndOfFile() }
    return (String(decoding: data[0], as: UTF8.self), String(decoding: data[1], as: UTF8.self))
  }
}

@Suite("The end of the program")
struct InterruptionTests {
  private let path = temporaryPath()

  private func size() -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? -1
  }

  @Test("A signal ends a run, with the finished figures; a further one changes nothing")
  func signal() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let program = try Program([
      "--allow-debug", "--full", "--filter", "a stored field, read", "--json", path,
    ])
    // The file is opened before the first measurement.
    try program.wait("the file") { size() == 0 }
    for signal in [SIGTERM, SIGTERM] { program.send(signal) }
    #expect(try program.waitForEnd() == 143)
    let (printed, complaints) = program.texts
    #expect(printed.contains("INTERRUPTED"))
    #expect(complaints.contains("benchmarks: ending because of signal 15"))
    #expect(try Report(json: String(contentsOfFile: path, encoding: .utf8)).isInterrupted)
  }

  @Test("A signal while the program prints to an unread pipe: it ends, and its files are complete")
  func blockedPrinting() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Results/epyc-2cpu.json").path
    // The tables do not fit into a pipe.
    let program = try Program(["--from", kept, "--json", path])
    try program.wait("the file") { size() > 0 }
    program.send(SIGINT)
    #expect(try program.waitForEnd() == 130)
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: kept))
  }

  #if os(Linux)
    @Test("Output that can't be written is reported", arguments: [["--help"], ["--list"]])
    func fullDisk(arguments: [String]) throws {
      let program = try Program(arguments, output: "/dev/full")
      #expect(try program.waitForEnd() == 1)
      #expect(program.texts.complaints.contains("benchmarks: can't write standard output"))
    }
  #endif

  @Test("A round that never ends: the program names it and fails")
  func endlessRound() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [path = path as String] in
      let contest = Contest(
        group: "group", title: "first", metric: .bytes, operationUnit: 1, reference: "a",
        contestants: [Contestant(name: "a") { _, _ in while true { sched_yield() } }])
      let suite = BenchmarkHarness.Suite(name: "sample", about: "", contests: [contest])
      _exit(
        Command(suites: [suite], targets: [], limit: 200).run(["--quick", "--allow-debug", "--json", path]))
    }
    let complaints = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(complaints.contains("sample, group, first: a: a round did not end within 0.2 s"))
    let printed = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(printed.contains("INTERRUPTED"))
    #expect(try Report(json: String(contentsOfFile: path, encoding: .utf8)).isInterrupted)
  }
}
