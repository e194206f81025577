internal import Foundation
internal import TestSupport
internal import Testing
internal import InterlockCore
internal import InterlockWaits

private let variable = "INTERLOCK_LEAK"

/// A test that leaks a slot on purpose.
///
/// `LeakedSlotTests` runs it in a process of its own.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it leaks"))
struct LeakingTests {
  @Test func leaksASlot() {
    let record = ThreadRecord.current
    var slot = record.slot
    #expect(SlotTable.readers.publish(128, in: &slot, isNested: false) != nil)
  }
}

#if os(Linux) && !Exploration
  /// Tests that a test run fails if it ends with leaked slots: starts this test program again, and lets it
  /// leak a slot.
  @Suite struct LeakedSlotTests {
    @Test("A test run that leaves a slot taken fails, although each test passes")
    func leakedSlot() throws {
      let process = Process()
      let output = Foundation.Pipe()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--testing-library", "swift-testing", "--filter", "LeakingTests"]
      process.environment = ProcessInfo.processInfo.environment.merging([variable: "slot"]) { $1 }
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == EXIT_FAILURE, "\(report)")
      #expect(report.contains("Test run with 1 test in 1 suite passed"), "\(report)")
      #expect(report.contains("Slots: still taken at the end of the tests: 1."), "\(report)")
    }
  }
#endif
