/// What a run says about a claim.
package struct TargetOutcome: Sendable, Equatable {
  package let claim: String
  package let unit: Target.Unit
  package let bound: Target.Bound
  package let figure: Summary
  /// Whether the median is inside the bound; `nil` when the run was too short to tell.
  package let holds: Bool?
  /// Whether most rounds of what it speaks of were disturbed.
  package let isDisturbed: Bool

  /// In a word, marked where the figure is not to be trusted.
  package var verdict: String {
    let word = holds.map { $0 ? "yes" : "no" } ?? "run too short"
    return isDisturbed ? "\(word) \(Mark.disturbed.rawValue)" : word
  }

  package var boundText: String {
    switch bound {
    case .atMost(let bound): "≤ \(text(bound))"
    case .atLeast(let bound): "≥ \(text(bound))"
    }
  }

  package var figureText: String { text(figure.median) }

  /// In the figure's own unit for a difference, where a percentage of a figure near 0 says nothing.
  package var spreadText: String {
    switch unit {
    case .ratio: Figures.percent(figure.spread)
    case .nanoseconds: "±\(text(figure.halfWidth))"
    case .seconds: ""
    }
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .ratio: "\(Figures.fixed(value, 2))×"
    case .nanoseconds: "\(Figures.fixed(value, 2)) ns"
    case .seconds: Figures.duration(nanoseconds: Int(value * 1e9))
    }
  }
}
