/// How a run stands, in figures.
package struct Figures: Sendable, Equatable {
  package var workers = 0
  package var strategy = ""
  package var generation = 0
  package var elapsed = Duration.zero
  package var rows = 0
  /// Edits of each kind that were delivered.
  package var inserted = 0
  package var removed = 0
  package var modified = 0
  /// Edits that were posted and are not delivered yet.
  package var queued = 0
  package var longestQueue = 0
  /// How often a delivery broke the table rule.
  package var violations = 0

  package init() {}

  package var edits: Int { inserted + removed + modified }

  /// All of it in one line, for where there is no screen.
  package var text: String {
    "\(Self.seconds(elapsed)) s  generation \(generation)  rows \(rows)"
      + "  edits \(edits) (+\(inserted) -\(removed) ~\(modified))"
      + "  queue \(queued) max \(longestQueue)  violations \(violations)"
  }

  /// Seconds with one decimal place.
  static func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10)"
  }
}
