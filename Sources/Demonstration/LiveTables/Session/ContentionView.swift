internal import ContentionProfiles

/// Records a profile of contention during a run, and shows it as lines of text.
@MainActor
struct ContentionView {
  /// The number of lines that `lines()` returns.
  nonisolated static let lineCount = 4

  private var shown: [String] = []
  private var next = ContinuousClock.now

  /// Begins to record.
  init() { ContentionProfile.start() }

  /// Returns a headline, and the three locks with the longest total waiting time, one on each line.
  ///
  /// Lines without a lock are empty. The lines change at most twice a second.
  mutating func lines() -> [String] {
    if ContinuousClock.now >= next {
      shown = Self.lines(ContentionProfile.report())
      next = .now + .milliseconds(500)
    }
    return shown
  }

  /// Ends the recording, and returns the report, formatted for lines of `columns` characters.
  func end(columns: Int) -> String {
    ContentionProfile.stop()
    return ContentionProfile.report().text(columns: columns)
  }

  /// The lines that show `report`.
  nonisolated static func lines(_ report: ContentionReport) -> [String] {
    let waits = report.waits == 1 ? "1 wait" : "\(report.waits) waits"
    let milliseconds = Int(report.total / .milliseconds(1))
    var lines = [" contention  \(waits), \(milliseconds) ms of waiting"]
    for lock in report.locks.prefix(lineCount - 1) {
      let site = lock.sites[0]
      let releaser = site.releaser.map { ", released by \($0.function)" } ?? ""
      let share = Int((report.share(of: lock) * 100).rounded())
      // The name of the lock is last, because a line that is too long is cut at its end.
      lines.append("  \(share) %  \(site.waiter.function)\(releaser): \(lock.name)")
    }
    return lines + Array(repeating: "", count: lineCount - lines.count)
  }
}
