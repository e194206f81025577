/// A claim about performance that the figures of a run can confirm or refute, such as "A takes at most twice
/// as long as B".
package struct Target: Sendable {
  /// Identifies a measured implementation by the names in `Suite`, `Contest` and `Contestant`.
  package struct Path: Sendable {
    let suite: String
    let group: String
    let contest: String
    let contestant: String

    package init(_ suite: String, _ group: String, _ contest: String, _ contestant: String) {
      self.suite = suite
      self.group = group
      self.contest = contest
      self.contestant = contestant
    }
  }

  /// The quantity that a claim is about.
  ///
  /// Ratios and differences are computed from figures of the same round.
  package enum Quantity: Sendable {
    case ratio(Path, over: Path)
    /// The ratio of an implementation's figures to those of the implementation in `of` with the greatest
    /// median.
    case ratioToGreatest(Path, of: [Path])
    case difference(Path, minus: Path)
    /// The ratio of the processor times that two implementations need for one operation.
    case processorTime(Path, over: Path)
    /// The longest wait in seconds.
    case longestWait(Path)

    package var unit: Unit {
      switch self {
      case .ratio, .ratioToGreatest, .processorTime: .ratio
      case .difference: .nanoseconds
      case .longestWait: .seconds
      }
    }
  }

  /// The unit of a claim's figures.
  package enum Unit: String, Sendable, Codable {
    case ratio
    case nanoseconds = "ns"
    case seconds = "s"
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

  package let claim: String
  package let quantity: Quantity
  package let bound: Bound

  package init(_ claim: String, _ quantity: Quantity, _ bound: Bound) {
    self.claim = claim
    self.quantity = quantity
    self.bound = bound
  }

  /// The implementations that the claim is about; the first one is compared with the others.
  private var paths: [Path] {
    switch quantity {
    case .ratio(let path, let other), .difference(let path, let other),
      .processorTime(let path, let other):
      [path, other]
    case .ratioToGreatest(let path, let others): [path] + others
    case .longestWait(let path): [path]
    }
  }

  /// A complaint if the claim compares implementations of different categories; otherwise `nil`.
  ///
  /// For example, a claim must not compare a lock that is inlined with a lock that is not.
  func complaint(in contests: [ContestReport]) -> String? {
    let titles = Set(paths.compactMap { $0.figures(in: contests)?.contestant.category?.title })
    guard titles.count > 1 else { return nil }
    return
      "\(claim): compares contestants of different categories: \(titles.sorted().joined(separator: ", "))"
  }

  /// Checks the claim against the results of a run; `nil` if a figure that the claim needs is missing.
  ///
  /// - Parameters:
  ///   - contests: The results of the run.
  ///   - isDisturbed: Returns whether other programs disturbed the figures of a contestant.
  package func outcome(
    in contests: [ContestReport],
    isDisturbed: (ContestantReport, ContestReport) -> Bool = { contestant, _ in contestant.isDisturbed }
  ) -> TargetOutcome? {
    let paths = paths.compactMap { $0.figures(in: contests) }
    let measured = paths.map(\.contestant)
    guard measured.count == self.paths.count, let first = measured.first, let last = measured.last else {
      return nil
    }
    let figure: Summary? =
      switch quantity {
      case .ratio: .ofRatios(first.rounds, over: last.rounds)
      case .ratioToGreatest: .ofRatios(first.rounds, over: Self.greatest(measured.dropFirst().map(\.rounds)))
      case .difference: .ofDifferences(first.rounds, minus: last.rounds)
      case .processorTime: .ofRatios(first.processorNanoseconds, over: last.processorNanoseconds)
      case .longestWait: first.waitRound.flatMap { Summary([Double($0.longestWait) / 1e9]) }
      }
    return figure.map {
      TargetOutcome(
        claim: claim, unit: quantity.unit, bound: bound, figure: $0,
        holds: paths.allSatisfy(hasEnoughRounds) ? holds($0.median, roundOfWaits: first.waitRound) : nil,
        isDisturbed: paths.contains { isDisturbed($0.contestant, $0.contest) })
    }
  }

  /// Whether there are enough rounds for a verdict.
  ///
  /// The longest wait comes from a single round, so a claim about it needs no minimum number of rounds.
  private func hasEnoughRounds(_ contest: ContestReport, _ contestant: ContestantReport) -> Bool {
    if case .longestWait = quantity { return true }
    return contest.hasEnoughRounds(contestant)
  }

  /// Returns the candidate (a list of figures) with the greatest median; an empty list if there are none.
  private static func greatest(_ candidates: [[Double]]) -> [Double] {
    candidates.max { (Summary($0)?.median ?? 0) < (Summary($1)?.median ?? 0) } ?? []
  }

  /// Whether the median `value` is within the bound; `nil` if `round` was too short to decide.
  ///
  /// Only a claim about the longest wait depends on `round`. For example, a round of one second can't show
  /// that no wait exceeds two seconds.
  private func holds(_ value: Double, roundOfWaits round: ContestantReport.WaitRound?) -> Bool? {
    if case .longestWait = quantity, case .atMost(let bound) = bound, value <= bound,
      Double(round?.nanoseconds ?? 0) / 1e9 < bound
    {
      return nil
    }
    return bound.admits(value)
  }
}

extension Target.Path {
  /// The results of the implementation that this path names; `nil` if it was not measured.
  fileprivate func figures(
    in contests: [ContestReport]
  ) -> (contest: ContestReport, contestant: ContestantReport)? {
    contests.first { $0.suite == suite && $0.group == group && $0.title == contest }.flatMap { contest in
      contest.contestant(contestant).map { (contest, $0) }
    }
  }
}
