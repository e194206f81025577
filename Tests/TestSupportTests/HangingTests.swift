internal import Foundation
internal import TestSupport
internal import Testing

/// Where a test hangs on purpose.
enum Hang: String {
  /// A thread that tests run on.
  case test
  /// A test that waits for a task.
  case task
  /// A case of a test with arguments.
  case testCase
  case exitTest, race

  static let variable = "INTERLOCK_HANG"

  /// What `WatchdogTests` asks of this process.
  static let current = ProcessInfo.processInfo.environment[variable].flatMap(Hang.init)
}

/// Waits for a signal that nobody sends.
@inline(never)
private func waitForEver() {
  Signal().wait()
}

/// Run by `WatchdogTests`, in a process of their own.
@Suite(.enabled(if: Hang.current != nil, "they hang")) struct HangingTests {
  @Test("Hangs on purpose", .enabled(if: Hang.current == .test)) func inTest() {
    waitForEver()
  }

  @Test("Hangs on purpose", .enabled(if: Hang.current == .task)) func inTask() async {
    await Task.detached { waitForEver() }.value
  }

  @Test("Hangs on purpose", .enabled(if: Hang.current == .testCase), arguments: [1]) func inCase(number: Int)
  {
    waitForEver()
  }

  @Test(.enabled(if: Hang.current == .exitTest)) func inExitTest() async {
    await #expect(processExitsWith: .success) { waitForEver() }
  }

  @Test(.enabled(if: Hang.current == .race)) func inRace() {
    TestSupport.race(threads: 1, limit: .milliseconds(500)) { _ in
      reportActivity("waits for ever")
      waitForEver()
    }
  }
}
