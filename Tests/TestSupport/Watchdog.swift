internal import CTestSupport
internal import Foundation

/// Ends the process if a race or a test hangs, after printing what hangs and the stack of each thread.
///
/// Each race must end within its own limit. On Linux the watchdog also watches all tests of `swift test`,
/// without any code in the tests: some test must begin or end within `limit` while tests are under way.
package final class Watchdog: Sendable {
  /// The default limit of a race, and the longest time in which no test of a test run may begin or end.
  ///
  /// The environment variable `INTERLOCK_WATCHDOG` sets this limit in seconds. The default is five minutes, or
  /// twenty minutes at the full stress size: the threads of a race may wait for tasks, while tests that block have
  /// all threads of the pool.
  package static let limit: Duration = {
    guard let text = Environment["INTERLOCK_WATCHDOG"] else {
      return StressSize.pick(quick: .seconds(300), full: .seconds(1200))
    }
    guard let seconds = UInt32(text), seconds > 0 else {
      fatalError("INTERLOCK_WATCHDOG is '\(text)', which is no number of seconds")
    }
    return .seconds(Int64(seconds))
  }()

  static let shared = Watchdog()

  /// The time for which the watchdog has been watching the process.
  ///
  /// Tests can use it as the clock of their own deadlines: if the process is stopped, at most one second of
  /// the stop is counted.
  package static var time: Duration { shared.state.enter { $0.time } }

  private struct State {
    /// See `Watchdog.time`.
    var time = Duration.zero
    var watches: [Watch] = []
    var tests = TestsUnderWay()
    /// The value of `time` when the last line of the testing library's event stream arrived.
    var lastEvent = Duration.zero
  }

  private let state = Monitor(State())

  private init() {
    PlatformThread { self.patrol() }.detach()
  }

  /// Starts and returns a watch of a race or another activity, which must end within `limit`.
  ///
  /// - Parameter subject: The name of the activity in the watchdog's report.
  func begin(_ subject: String, limit: Duration) -> Watch {
    state.enter { state in
      let watch = Watch(subject: subject, limit: limit, deadline: state.time + limit)
      state.watches.append(watch)
      return watch
    }
  }

  /// Ends a watch; must be called when its subject has ended, or else the watchdog ends the process.
  func end(_ watch: Watch) {
    state.enter { state in state.watches.removeAll { $0 === watch } }
  }

  /// Records a line of the testing library's event stream, which shows that the test run makes progress.
  fileprivate func note(_ line: Data) {
    state.enter { state in
      state.tests.note(line)
      state.lastEvent = state.time
    }
  }

  private func patrol() {
    var before = MonotonicClock.now
    while true {
      // The interval between two checks. No test waits for the end of this sleep.
      MonotonicClock.sleep(.milliseconds(200))
      let now = MonotonicClock.now
      let elapsed = min(Duration.nanoseconds(now - before), .seconds(1))
      before = now
      let report = state.enter { state in
        state.time += elapsed
        return Self.report(state)
      }
      if let report { Self.end(report) }
    }
  }

  /// A report of what hangs; `nil` while everything is within its limit.
  private static func report(_ state: State) -> String? {
    let late = state.watches.first { $0.deadline < state.time }
    let isStalled = !state.tests.isEmpty && state.lastEvent + limit < state.time
    var report: String
    if let late {
      report = "\(late.subject) has not ended within \(late.limit); \(Seed.current)\n"
    } else if isStalled {
      report = "no test has begun or ended for \(limit); \(Seed.current)\n"
    } else {
      return nil
    }
    for other in state.watches where other !== late {
      report += "Also under way: \(other.subject)\n"
    }
    if !state.tests.isEmpty { report += "Tests under way:\n" + state.tests.report }
    return "\nWatchdog: " + report
  }

  private static func end(_ report: String) -> Never {
    // The alarm ends the process after three minutes if making the report hangs. The report may need a lock that
    // one of the hanging threads holds.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    signal(SIGALRM, SIG_DFL)
    alarm(180)
    // The report interrupts each thread by a signal. A thread that had slept through a lost wake-up goes on then, and
    // the tests may pass: their process must not end before this function ends it.
    atexit { while true { pause() } }
    print(report)
    print(ThreadStacks.report)
    // Keeps the runtime from printing a crash report of this thread. The crash report is not needed, and it
    // would hang in a build with a sanitizer.
    signal(SIGABRT, SIG_DFL)
    abort()
  }

  private static func print(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(output, $0.baseAddress, $0.count) }
  }

  /// The descriptor for reports.
  ///
  /// In the process of an exit test, whose own output is not shown, this is the standard error of the test
  /// run. In any other process it is the standard error of the process itself.
  private static let output: Int32 = {
    guard Environment["SWT_EXIT_TEST_ID"] != nil else { return STDERR_FILENO }
    let descriptor = open("/proc/\(getppid())/fd/2", O_WRONLY | O_APPEND)
    return descriptor >= 0 ? descriptor : STDERR_FILENO
  }()

  /// Opens the descriptor for reports.
  ///
  /// The process of an exit test must call this when it begins: the process of the test run, which owns the
  /// file, may have ended when the report is printed.
  fileprivate static func findOutput() { _ = output }
}

// MARK: The beginning of a process

/// Starts the watchdog, and a thread that passes the testing library's events to it.
///
/// `CTestSupport` calls this function before `main` in the process of a test run.
///
/// - Parameter events: The descriptor from which the testing library's event stream can be read.
@c(test_run_begins)
func testRunBegins(_ events: Int32) {
  let watchdog = Watchdog.shared
  PlatformThread {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var rest = Data()
    while true {
      let count = read(events, &bytes, bytes.count)
      // Repeats a `read` that a signal has interrupted: the backtrace of a crash stops each thread with a
      // signal.
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest += bytes[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        watchdog.note(rest[..<end])
        rest = Data(rest[(end + 1)...])
      }
    }
  }
  .detach()
}

/// Starts to watch the body of an exit test.
///
/// `CTestSupport` calls this function before `main` in the process in which the body runs. The watchdog of
/// the test run's process can't see the threads of this process. The limit of this process is half of that
/// watchdog's limit, so that this process reports first.
@c(exit_test_begins)
func exitTestBegins() {
  Watchdog.findOutput()
  _ = Watchdog.shared.begin("the body of an exit test", limit: Watchdog.limit / 2)
}

/// A race, or the body of an exit test, that the watchdog watches.
final class Watch: Sendable {
  let subject: String
  let limit: Duration
  fileprivate let deadline: Duration

  fileprivate init(subject: String, limit: Duration, deadline: Duration) {
    self.subject = subject
    self.limit = limit
    self.deadline = deadline
  }
}
