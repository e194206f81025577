#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Ends the process, with a report of what each thread was doing, when something does not end in time.
///
/// A lost wake-up or a deadlock otherwise shows as a test run that hangs without a word.
package final class Watchdog: Sendable {
  /// How long anything watched may take.
  ///
  /// As many seconds as `INTERLOCK_WATCHDOG` says, or two minutes, which a healthy run is far from, and ten times as
  /// long for the full stress size.
  package static let limit: Duration = {
    guard let text = Environment["INTERLOCK_WATCHDOG"] else {
      return StressSize.pick(quick: .seconds(120), full: .seconds(1200))
    }
    guard let seconds = UInt32(text), seconds > 0 else {
      fatalError("INTERLOCK_WATCHDOG is '\(text)', which is no number of seconds")
    }
    return .seconds(Int64(seconds))
  }()

  static let shared = Watchdog()

  private let watches = Monitor<[Watch]>([])

  private init() {
    PlatformThread { self.patrol() }.detach()
  }

  /// Starts to watch over something.
  func begin(_ subject: String, limit: Duration) -> Watch {
    let watch = Watch(subject: subject, limit: limit)
    watches.enter { $0.append(watch) }
    return watch
  }

  /// It has ended.
  func end(_ watch: Watch) {
    watches.enter { watches in watches.removeAll { $0 === watch } }
  }

  private func patrol() {
    while true {
      // The watchdog's own round, five times in a second; no test waits for it.
      MonotonicClock.sleep(.milliseconds(200))
      let now = MonotonicClock.now
      let all = watches.enter { $0 }
      guard let late = all.first(where: { $0.deadline < now }) else { continue }
      let others = all.filter { $0 !== late }
      var report = "Watchdog: \(late.subject) has not ended within \(late.limit); \(Seed.current)\n"
      report += late.report
      for other in others {
        report += "Also under way: \(other.subject)\n" + other.report
      }
      report.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      // The runtime's own crash report, which shows where each thread is, hangs in a process of the sanitizer.
      if Sanitizer.isThreadSanitizerActive { signal(SIGABRT, SIG_DFL) }
      abort()
    }
  }
}

/// Something the watchdog watches over, with the threads that take part.
final class Watch: Sendable {
  let subject: String
  let limit: Duration
  let deadline: UInt64

  private let activities = Monitor<[ThreadActivity]>([])

  fileprivate init(subject: String, limit: Duration) {
    self.subject = subject
    self.limit = limit
    deadline = MonotonicClock.now + UInt64(limit / .nanoseconds(1))
  }

  /// The calling thread takes part from now on.
  func enter(index: Int) {
    let activity = ThreadActivity(index: index)
    activities.enter { $0.append(activity) }
    ThreadActivity.current = activity
  }

  /// The calling thread has done its part.
  func leave() {
    reportActivity("done")
    ThreadActivity.current = nil
  }

  /// A line for each thread.
  var report: String {
    activities.enter { $0 }
      .sorted { $0.index < $1.index }
      .map { "  thread \($0.index): \($0.text)\n" }
      .joined()
  }
}
