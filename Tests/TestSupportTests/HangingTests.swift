internal import Foundation
internal import TestSupport
internal import Testing

/// The kinds of code that can hang on purpose in a test process.
enum Hang: String {
  /// The function of a test blocks a thread of the pool that runs the tests.
  case test
  /// A test waits for a task that hangs.
  case task
  /// A test with arguments hangs in one of its cases.
  case testCase
  case exitTest, race
  /// A test has lost its wake-up, and passes when a signal interrupts its sleep.
  case sleep

  static let variable = "INTERLOCK_HANG"

  /// The code that must hang in this process, set by `WatchdogTests`; `nil` in a normal run.
  static let current = ProcessInfo.processInfo.environment[variable].flatMap(Hang.init)
}

/// Waits for a signal that no thread sends.
@inline(never)
private func waitForEver() {
  Signal().wait()
}

/// Waits until a signal has interrupted the thread, as a thread with a lost wake-up does.
@inline(never)
private func waitForEverButForSignals() {
  // Looks at the result, so that an optimized program keeps this function on the stack.
  precondition(pause() == -1)
}

/// Tests that hang on purpose.
///
/// `WatchdogTests` runs them in a process of their own.
@Suite(.enabled(if: Hang.current != nil, "they hang")) struct HangingTests {
  @Test("Hangs on purpose", .enabled(if: Hang.current == .test)) func inTest() {
    waitForEver()
  }

  @Test("Hangs on purpose", .enabled(if: Hang.current == .sleep)) func asleep() {
    waitForEverButForSignals()
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
    TestSupport.race(threads: 1, limit: Watchdog.limit / 2) { _ in
      waitForEver()
    }
  }
}
