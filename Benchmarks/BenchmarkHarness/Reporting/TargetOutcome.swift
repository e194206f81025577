/// What a run says about a claim.
package struct TargetOutcome: Sendable {
  package let target: Target
  package let figure: Summary
  /// Whether the median is inside the bound; `nil` when the run was too short to tell.
  package let holds: Bool?
  /// Whether most rounds of what it speaks of were disturbed.
  package let isDisturbed: Bool

  /// In a word, marked where the figure is not to be trusted.
  package var verdict: String {
    let word = holds.map { $0 ? "yes" : "no" } ?? "run too short"
    return isDisturbed ? "\(word) \(TextReport.disturbedMark)" : word
  }

  package var boundText: String {
    switch target.bound {
    case .atMost(let bound): "≤ \(text(bound))"
    case .atLeast(let bound): "≥ \(text(bound))"
    }
  }

  package var figureText: String { text(figure.median) }

  /// In the figure's own unit for a difference, where a percentage of a figure near 0 says nothing.
  package var spreadText: String {
    switch target.quantity {
    case .ratio, .ratioToGreatest, .processorTime: Figures.percent(figure.spread)
    case .difference: "±\(text(figure.halfWidth))"
    case .longestWait: ""
    }
  }

  private func text(_ value: Double) -> String {
    switch target.quantity {
    case .ratio, .ratioToGreatest, .processorTime: "\(Figures.fixed(value, 2))×"
    case .difference: "\(Figures.fixed(value, 2)) ns"
    case .longestWait: Figures.duration(nanoseconds: Int(value * 1e9))
    }
  }
}
