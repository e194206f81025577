/// The current figures of a run.
package struct Figures: Sendable, Equatable {
  package var workers = 0
  package var strategy = ""
  package var generation = 0
  package var elapsed = Duration.zero
  package var rows = 0
  /// The number of insertions in the whole run, including those of which the observer was not notified.
  package var inserted = 0
  package var removed = 0
  package var modified = 0
  /// The number of edits and commands that wait for the main actor.
  package var queued = 0
  package var longestQueue = 0
  /// The number of rows on the shelf; `nil` if there is no shelf.
  package var shelved: Int?
  /// The number of violations of the table rule (see `RowsMirror`).
  package var violations = 0

  package init() {}

  package var edits: Int { inserted + removed + modified }

  /// The average number of edits per second since the start of the run; 0 at the start.
  package var editsPerSecond: Int { elapsed > .zero ? Int(Double(edits) / (elapsed / .seconds(1))) : 0 }

  /// All figures in one line, for output without a screen.
  package var text: String {
    "\(Self.seconds(elapsed)) s  generation \(generation)  rows \(rows)"
      + "  edits \(edits) (+\(inserted) -\(removed) ~\(modified)), \(editsPerSecond) a second"
      + "  queue \(queued) max \(longestQueue)  violations \(violations)"
  }

  /// Formats a duration in seconds, rounded down to one decimal place.
  static func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10)"
  }
}
