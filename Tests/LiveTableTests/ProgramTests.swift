import Foundation
import TestSupport
import Testing

@testable import livetable

// The tests are serialized, because each one runs a program with several threads.
@Suite("Without a terminal", .serialized)
struct ProgramTests {
  private static let plain = ["--workers", "8", "--speed", "1000", "--duration", "0.3"]

  @Test(
    "each strategy and each lock end with a clean audit, and no escape codes",
    arguments: Lock.allCases.map { ["--lock", $0.rawValue] } + [["--strategy", "mainActor"]])
  func strategies(choice: [String]) async throws {
    var run = try await ProgramUnderTest.run(Self.plain + choice)
    // On a busy machine, the run may be over before a worker has begun.
    if run.output.contains("\nAudit of 0 changes") {
      run = try await ProgramUnderTest.run(Self.plain.dropLast() + ["30"] + choice)
    }
    #expect(run.status == 0 && run.error == "")
    #expect(run.output.hasPrefix("8 workers, ") && run.output.contains(" \(choice[1])"))
    #expect(run.output.hasSuffix("\nThe audit is clean.\n"))
    #expect(run.output.contains(/\nAudit of [1-9][0-9]* changes in 1 generations\n/))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test("interrupted, the program still prints the audit", arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) async throws {
    let run = try await ProgramUnderTest.run(["--speed", "1000"], signal: signal)
    #expect(run.status == 0 && run.output.hasSuffix("\nThe audit is clean.\n"))
    #expect(run.error == "livetable: \(Screen.ending)\n")
  }

  @Test("wrong arguments give one line that names the one at fault, and status 2; help goes to the output")
  func arguments() async throws {
    let run = try await ProgramUnderTest.run(["--workers", "many"])
    #expect(run.status == 2 && run.output == "")
    #expect(
      run.error == "livetable: --workers needs a whole number from 0 to 1000, not 'many' (see --help)\n")
    let help = try await ProgramUnderTest.run(["--help"])
    #expect(help.status == 0 && help.output == Options.help + "\n" && help.error == "")
  }

  @Test("an output that can't be written is reported")
  func closedOutput() async throws {
    let run = try await ProgramUnderTest.run(Self.plain, closesOutput: true)
    #expect(run.status == 1 && run.error == "livetable: can't write standard output: Bad file descriptor\n")
  }
}
