/// The result of a run for one claim.
package struct TargetOutcome: Sendable, Equatable {
  package let claim: String
  package let unit: Target.Unit
  package let bound: Target.Bound
  package let figure: Summary
  /// Whether the median is within the bound; `nil` if the run was too short to decide.
  package let holds: Bool?
  /// Whether most rounds of its contestants were disturbed.
  package let isDisturbed: Bool

  /// Whether the claim holds, as far as the rounds can tell.
  package enum Verdict: String, Sendable, Codable {
    /// At least three quarters of the rounds support the claim.
    case holds
    /// At least three quarters of the rounds contradict it.
    case fails
    /// The quartiles lie on both sides of the bound: another run may come to another verdict.
    case withinSpread
    /// Most rounds were disturbed, so that nothing is judged.
    case disturbed
    /// The run was too short to tell.
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

  /// The verdict in some words, for tables.
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

  /// The spread.
  ///
  /// For a difference it is in the figure's own unit, because a percentage of a figure near 0 means nothing.
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
