internal import Commands
internal import Foundation
internal import LiveTables
internal import TestSupport
internal import Testing

/// Checks runs whose output can't be written: a program continues to its end, and reports the failure.
@Suite("Output that can't be written", .serialized)
struct OutputTests {
  /// A path for a temporary file that does not exist.
  private let path = temporaryPath("output")

  private static let full = "can't write standard output: No space left on device"

  #if os(Linux)
    @Test(
      "A full disk is reported, and gives a status",
      arguments: [["--json", "--duration", "0.1"], ["--plain", "--duration", "0.1"], ["--help"]])
    func fullDisk(arguments: [String]) throws {
      let run = try ProgramUnderTest.run(arguments, output: .file("/dev/full"))
      #expect(run.status == 1)
      #expect(run.error == "livetable: \(Self.full)\n")
    }

    @Test("So it is by the benchmarks", arguments: [["--help"], ["--list"]])
    func fullDiskOfBenchmarks(arguments: [String]) throws {
      let run = try ProgramUnderTest.run(arguments, program: "benchmarks", output: .file("/dev/full"))
      #expect(run.status == 1)
      #expect(run.error == "benchmarks: \(Self.full)\n")
    }

    @Test("A report that can't be printed is written to its files all the same")
    func reportOnFullDisk() throws {
      let (report, copy) = (path + ".json", path + ".copy")
      defer { for path in [report, copy] { try? FileManager.default.removeItem(atPath: path) } }
      let measured = try ProgramUnderTest.run(
        ["--allow-debug", "--quick", "--filter", "self-check", "--json", report], program: "benchmarks")
      #expect(measured.status == 0, "\(measured.error)")
      let run = try ProgramUnderTest.run(
        ["--from", report, "--json", copy], program: "benchmarks", output: .file("/dev/full"))
      #expect(run.status == 1)
      #expect(run.error == "benchmarks: \(Self.full)\n")
      #expect(try InputFile.text(path: copy) == InputFile.text(path: report))
    }

    @Test("A record that can't be written ends the run, with the audit")
    func recordOnFullDisk() throws {
      let run = try ProgramUnderTest.run(["--plain", "--duration", "1000", "--record", "/dev/full"])
      #expect(run.status == 1)
      #expect(run.error == "livetable: can't write /dev/full: No space left on device\n")
      #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
    }
  #endif

  @Test("No file takes the place of a standard stream that is closed", arguments: 0..<8)
  func closedDescriptors(mask: Int32) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let closed = (0...2 as ClosedRange<Int32>).filter { mask >> $0 & 1 == 1 }
    let run = try ProgramUnderTest.run(
      ["--plain", "--duration", "0.1", "--record", path], closed: closed)
    #expect(run.status == (closed.contains(1) ? 1 : 0))
    #expect(closed.contains(1) == run.output.isEmpty)
    let isComplaint = closed.contains(1) && !closed.contains(2)
    #expect(run.error == (isComplaint ? "livetable: can't write standard output: Bad file descriptor\n" : ""))
    // The file has a complete record and nothing else, so the program printed nothing into it.
    #expect(try Recording(parsing: InputFile.text(path: path)).initialRows.count == 16)
  }

  @Test("A reader that has seen enough ends the run, and the record has its end")
  func readerGone() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try ProgramUnderTest.run(
      ["--plain", "--duration", "1000", "--speed", "100", "--record", path], output: .beginning)
    #expect(run.status == 1)
    #expect(run.error == "livetable: can't write standard output: Broken pipe\n")
    #expect(try Recording(parsing: InputFile.text(path: path)).initialRows.count == 16)
  }

  @Test("Interrupted benchmarks leave a complete report as it is, also when signalled twice")
  func interruptedBenchmarks() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "a complete report".write(toFile: path, atomically: false, encoding: .utf8)
    let program = try ProgramUnderTest(
      ["--allow-debug", "--full", "--filter", "self-check", "--json", path], program: "benchmarks")
    try program.wait("progress") { $0.raw.contains(" %") }
    for signal in [SIGTERM, SIGINT] { program.send(signal) }
    // SIGTERM (143) and SIGINT (130) may be pending together, and the system may deliver either one first.
    #expect([130, 143].contains(try program.waitForExit()))
    #expect(program.raw.contains("benchmarks: ending because of signal"))
    #expect(program.raw.contains("INTERRUPTED"))
    #expect(program.raw.contains("benchmarks: \(path) keeps what is in it: the report is incomplete"))
    #expect(try InputFile.text(path: path) == "a complete report")
  }
}
