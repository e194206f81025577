/// The result of checking a claim about the figures of a run, such as "A takes at most 1.1 times as long as
/// B".
package struct TargetOutcome: Sendable, Equatable {
  package let claim: String
  package let unit: Target.Unit
  package let bound: Target.Bound
  package let figure: Summary
  /// Whether the median of `figure` is within `bound`; `nil` if the run was too short to decide.
  package let holds: Bool?
  /// Whether other programs disturbed the figures of one of the implementations that the claim compares.
  package let isDisturbed: Bool

  /// Whether the rounds of a run support the claim.
  package enum Verdict: String, Sendable, Codable {
    /// Both quartiles of the figure are within the bound.
    case holds
    /// Both quartiles of the figure are beyond the bound.
    case fails
    /// Only one of the quartiles is within the bound, so another run may come to another verdict.
    case withinSpread
    /// Other programs disturbed a figure that the claim compares, so the claim is not judged.
    case disturbed
    /// The run was too short to judge the claim.
    case tooShort
  }

  package var verdict: Verdict {
    if isDisturbed { return .disturbed }
    guard let holds else { return .tooShort }
    guard bound.admits(figure.lowerQuartile) == bound.admits(figure.upperQuartile) else {
      return .withinSpread
    }
    return holds ? .holds : .fails
  }

  /// The verdict in a few words, for tables.
  package var verdictText: String {
    switch verdict {
    case .holds: "yes"
    case .fails: "no"
    case .withinSpread: "within the spread"
    case .disturbed: "not judged: disturbed"
    case .tooShort: "not judged: run too short"
    }
  }

  package var boundText: String {
    switch bound {
    case .atMost(let bound): "≤ \(text(bound))"
    case .atLeast(let bound): "≥ \(text(bound))"
    }
  }

  package var figureText: String { text(figure.median) }

  package var quartilesText: String { "\(text(figure.lowerQuartile)) to \(text(figure.upperQuartile))" }

  /// The spread of the figure, as text; empty for a longest wait, which is a single figure.
  ///
  /// The spread of a difference is in nanoseconds, because a percentage of a figure near 0 means nothing.
  package var spreadText: String {
    switch unit {
    case .ratio: Figures.percent(figure.spread)
    case .nanoseconds: "±\(text(figure.halfWidth))"
    case .seconds: ""
    }
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .ratio: Figures.times(value)
    case .nanoseconds: "\(Figures.fixed(value, 2)) ns"
    case .seconds: Figures.duration(nanoseconds: Int(value * 1e9))
    }
  }
}
