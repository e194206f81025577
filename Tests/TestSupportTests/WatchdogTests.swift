internal import Foundation
internal import TestSupport
internal import Testing

#if os(Linux)
  /// Tests the watchdog: starts this test program again, lets a test hang, and checks the watchdog's report.
  @Suite struct WatchdogTests {
    @Test(
      "A test that hangs ends the process, with its title and every thread's stack",
      arguments: [Hang.test, .task, .testCase, .sleep])
    func hangs(hang: Hang) throws {
      let (report, limit) = try testProcess(in: hang)
      #expect(report.contains("Watchdog: no test has begun or ended for \(limit)"))
      #expect(report.contains("Tests under way:\n  \"Hangs on purpose\" at TestSupportTests/"))
      #expect(report.contains("waitForEver"), "\(report)")
    }

    @Test("The body of an exit test that hangs ends its process, with every thread's stack")
    func exitTest() throws {
      // The watchdog ends the process that runs the body of the exit test. It is unspecified whether the test
      // that waits for the process then fails, or hangs as well.
      let (report, limit) = try testProcess(in: .exitTest)
      #expect(report.contains("Watchdog: the body of an exit test has not ended within \(limit / 2)"))
      #expect(report.contains("waitForEver"), "\(report)")
    }

    @Test("A race that hangs ends the process, with every thread's stack")
    func race() throws {
      let (report, limit) = try testProcess(in: .race)
      #expect(report.contains("has not ended within \(limit / 2)"))
      #expect(report.contains("waitForEver"), "\(report)")
    }

    @Test("Time in which the process is stopped does not count")
    func stopped() async {
      await #expect(processExitsWith: .success) {
        let (start, watchedStart) = (MonotonicClock.now, Watchdog.time)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "kill -STOP $PPID; sleep 3; kill -CONT $PPID"]
        try shell.run()
        shell.waitUntilExit()
        let watched = Watchdog.time - watchedStart
        let elapsed = Duration.nanoseconds(MonotonicClock.now - start)
        // The stop lasts three seconds, of which the watchdog counts at most one. Another second is allowed
        // because `watchedStart` may be that old.
        precondition(elapsed - watched >= .seconds(1), "\(watched) of \(elapsed)")
      }
    }

    /// Runs `HangingTests` in a second process of this program; returns its output, and its watchdog's limit.
    ///
    /// On a busy machine the process may take longer than its limit to reach the code that hangs. The report
    /// then lacks that code, and another process gets more time.
    private func testProcess(in hang: Hang) throws -> (report: String, limit: Duration) {
      var seconds = 1
      while true {
        let report = try testProcess(in: hang, seconds: seconds)
        if seconds == 64 || report.contains("waitForEver") { return (report, .seconds(seconds)) }
        seconds *= 4
      }
    }

    private func testProcess(in hang: Hang, seconds: Int) throws -> String {
      let process = Process()
      let output = Foundation.Pipe()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--testing-library", "swift-testing", "--filter", "HangingTests"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        Hang.variable: hang.rawValue, "INTERLOCK_WATCHDOG": "\(seconds)",
      ]) { $1 }
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      if hang != .exitTest {
        #expect(process.terminationReason == .uncaughtSignal, "\(report)")
        #expect(process.terminationStatus == SIGABRT)
      }
      return report
    }
  }
#endif
