/// A claim about performance that the figures of a run can confirm or refute, such as "A takes at most twice
/// as long as B".
package struct Target: Sendable {
  /// Identifies a contestant by the names in `Suite`, `Contest` and `Contestant`.
  package struct Path: Sendable {
    package let suite: String
    package let group: String
    package let contest: String
    package let contestant: String

    package init(_ suite: String, _ group: String, _ contest: String, _ contestant: String) {
      self.suite = suite
      self.group = group
      self.contest = contest
      self.contestant = contestant
    }
  }

  /// The quantity that a claim is about, computed round by round.
  package enum Quantity: Sendable {
    /// The ratio of a contestant's figures to those of the contestant in `over` with the greatest median.
    case ratio(Path, over: [Path])
    case difference(Path, minus: Path)
    /// The ratio of the processor times that two contestants need for one operation.
    case processorTime(Path, over: Path)
    /// The longest wait in nanoseconds.
    case longestWait(Path)
  }

  /// The bound that a claim sets.
  package enum Bound: Sendable, Equatable {
    case atMost(Double)
    case atLeast(Double)

    /// Whether a figure is within the bound.
    package func admits(_ value: Double) -> Bool {
      switch self {
      case .atMost(let bound): value <= bound
      case .atLeast(let bound): value >= bound
      }
    }
  }

  /// Whether a run supports a claim.
  package enum Verdict: String, Sendable {
    /// Both quartiles of the figure are within the bound.
    case holds = "yes"
    /// Both quartiles of the figure are beyond the bound.
    case fails = "no"
    /// The bound lies between the quartiles, or the figures are missing, too few or disturbed.
    case undecided
  }

  /// The result of checking a claim.
  package struct Outcome: Sendable {
    package let claim: String
    package let bound: String
    /// The median of the figure; a dash if the run did not measure it.
    package let figure: String
    package let quartiles: String
    package let verdict: Verdict
    package let isMeasured: Bool
  }

  package let claim: String
  package let quantity: Quantity
  package let bound: Bound

  package init(_ claim: String, _ quantity: Quantity, _ bound: Bound) {
    self.claim = claim
    self.quantity = quantity
    self.bound = bound
  }

  /// The contestants that the claim is about; the first one is compared with the others.
  package var paths: [Path] {
    switch quantity {
    case .ratio(let path, let others): [path] + others
    case .difference(let path, let other), .processorTime(let path, let other): [path, other]
    case .longestWait(let path): [path]
    }
  }

  /// Checks the claim against the results of a run.
  package func outcome(in report: Report) -> Outcome {
    let found = paths.compactMap { report.figures($0) }
    guard found.count == paths.count, let figure = figure(found.map(\.contestant)) else {
      return Outcome(
        claim: claim, bound: boundText, figure: "–", quartiles: "", verdict: .undecided, isMeasured: false)
    }
    let verdict: Verdict =
      if found.contains(where: { isUndecided($0.contestant, in: $0.contest, of: report) }) {
        .undecided
      } else {
        switch (bound.admits(figure.lowerQuartile), bound.admits(figure.upperQuartile)) {
        case (true, true): .holds
        case (false, false): .fails
        default: .undecided
        }
      }
    return Outcome(
      claim: claim, bound: boundText, figure: text(figure.median),
      quartiles: "\(text(figure.lowerQuartile)) to \(text(figure.upperQuartile))", verdict: verdict,
      isMeasured: true)
  }

  /// Whether the figures of a contestant are too few for a verdict, or disturbed.
  ///
  /// The longest wait comes from a single round, so a claim about it needs no minimum number of rounds. The
  /// round must be long enough to show that no wait exceeds the bound.
  private func isUndecided(
    _ contestant: ContestantReport, in contest: ContestReport, of report: Report
  ) -> Bool {
    guard case .longestWait = quantity else { return report.isUndecided(contestant, in: contest) }
    let duration = Double(contestant.waitRoundDuration ?? 0)
    guard case .atMost(let bound) = bound, duration < bound else { return report.isDisturbed }
    return report.isDisturbed || bound >= Double(contestant.longestWait ?? 0)
  }

  private func figure(_ measured: [ContestantReport]) -> Summary? {
    let (first, others) = (measured[0], measured.dropFirst())
    switch quantity {
    case .ratio:
      let greatest = others.max { ($0.summary?.median ?? 0) < ($1.summary?.median ?? 0) }
      return greatest.flatMap { .combining(first.rounds, $0.rounds, /) }
    case .difference: return .combining(first.rounds, measured[1].rounds, -)
    case .processorTime:
      return .combining(first.processorNanoseconds, measured[1].processorNanoseconds, /)
    case .longestWait: return first.longestWait.flatMap { Summary([Double($0)]) }
    }
  }

  private var boundText: String {
    switch bound {
    case .atMost(let bound): "≤ \(text(bound))"
    case .atLeast(let bound): "≥ \(text(bound))"
    }
  }

  private func text(_ value: Double) -> String {
    switch quantity {
    case .ratio, .processorTime: "\(Figures.significant(value))×"
    case .difference: "\(Figures.fixed(value, 2)) ns"
    case .longestWait: Figures.duration(nanoseconds: value)
    }
  }
}

/// Checks whether a run supports the performance claims of the project.
package struct TargetCheck: Sendable {
  package let outcomes: [Target.Outcome]
  private let isFiltered: Bool

  package init(_ targets: [Target], in report: Report) {
    outcomes = targets.map { $0.outcome(in: report) }
    isFiltered = !report.run.filter.isEmpty
  }

  /// Whether all claims hold: with a filter, those whose figures the run measured, of which there must be
  /// one.
  package var passes: Bool {
    let judged = isFiltered ? outcomes.filter(\.isMeasured) : outcomes
    return !judged.isEmpty && judged.allSatisfy { $0.verdict == .holds }
  }

  /// The number of claims with each verdict, in one sentence.
  package var summary: String {
    func count(_ verdict: Target.Verdict) -> Int { outcomes.count { $0.verdict == verdict } }
    let missing = outcomes.count { !$0.isMeasured }
    return "\(count(.holds)) of \(outcomes.count) targets hold, \(count(.fails)) don't,"
      + " \(count(.undecided)) are undecided; \(missing) of these were not measured."
  }
}
