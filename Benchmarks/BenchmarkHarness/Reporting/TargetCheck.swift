/// Checks whether a run supports all performance claims of the project.
package struct TargetCheck: Sendable, Equatable {
  private let outcomes: [TargetOutcome]
  private let unjudged: [String]
  private let isFiltered: Bool

  package init(_ report: Report) {
    outcomes = report.targets
    unjudged = report.unjudgedClaims
    isFiltered = !report.run.filter.texts.isEmpty
  }

  /// Whether each claim whose figures the run measured has the verdict `holds`; `false` if there are none.
  ///
  /// In a run without a filter, the result is also `false` if the figures of any claim are missing.
  package var passes: Bool {
    outcomes.allSatisfy { $0.verdict == .holds } && (isFiltered || unjudged.isEmpty) && !outcomes.isEmpty
  }

  package var text: String {
    var lines = ["== Check of the targets"]
    for outcome in outcomes {
      let (word, detail) =
        switch outcome.verdict {
        case .holds: ("holds", "")
        case .fails: ("DOES NOT HOLD", "")
        case .withinSpread: ("WITHIN THE SPREAD", " (quartiles \(outcome.quartilesText))")
        case .disturbed: ("NOT JUDGED (most rounds were disturbed)", "")
        case .tooShort: ("NOT JUDGED (run too short)", "")
        }
      lines.append(
        "\(word): \(outcome.claim): \(outcome.figureText)\(detail), claimed \(outcome.boundText)")
    }
    lines += unjudged.map { "not measured: \($0)" }
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  /// The number of claims with each verdict, in one sentence.
  package var summary: String {
    func count(_ verdicts: TargetOutcome.Verdict...) -> Int {
      outcomes.count { verdicts.contains($0.verdict) }
    }
    return
      "\(count(.holds)) of \(outcomes.count + unjudged.count) targets hold, \(count(.fails)) don't,"
      + " \(count(.withinSpread)) are within the spread,"
      + " \(count(.disturbed, .tooShort) + unjudged.count) were not judged."
  }
}
