/// Whether a run supports everything that the project claims.
package struct TargetCheck: Sendable, Equatable {
  private let outcomes: [TargetOutcome]
  private let unjudged: [String]
  private let isFiltered: Bool

  package init(_ report: Report) {
    outcomes = report.targets
    unjudged = report.unjudgedClaims
    isFiltered = !report.run.filter.texts.isEmpty
  }

  /// Whether all targets hold; those that a filter left out don't count.
  package var passes: Bool {
    outcomes.allSatisfy { $0.holds == true } && (isFiltered || unjudged.isEmpty) && !outcomes.isEmpty
  }

  package var text: String {
    var lines = ["== Check of the targets"]
    for outcome in outcomes {
      let word =
        switch outcome.holds {
        case true?: "holds"
        case false?: "DOES NOT HOLD"
        case nil: "NOT JUDGED (run too short)"
        }
      let doubt = outcome.isDisturbed ? ", but most rounds were disturbed" : ""
      lines.append("\(word)\(doubt): \(outcome.claim): \(outcome.figureText), claimed \(outcome.boundText)")
    }
    lines += unjudged.map { "not measured: \($0)" }
    let failing = outcomes.count { $0.holds == false }
    let short = outcomes.count { $0.holds == nil }
    lines.append(
      "\(outcomes.count - failing - short) of \(outcomes.count + unjudged.count) targets hold,"
        + " \(failing) don't, \(short + unjudged.count) were not judged.")
    return lines.joined(separator: "\n")
  }
}
