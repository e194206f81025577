/// The noise of a run, measured as the difference between two measurements of identical code.
///
/// The suite `self-check` measures the same code under two names, in one or more contests of each kind. The
/// greatest difference between the two results is the noise floor of the kind, in percent. If other
/// contestants differ by less than the noise floor, the difference may be noise.
package struct NoiseFloor: Sendable, Equatable {
  /// The suite that measures identical code under two names.
  package static let suite = "self-check"

  /// A kind of contest; all contests of a kind have the same noise floor.
  package enum Kind: Sendable, Hashable, Comparable {
    /// Contests whose operations run on the given number of threads.
    case threads(Int)
    case handOffs
    case waits

    package init(_ metric: Metric, threads: Int) {
      self =
        switch metric {
        case .handOffs: .handOffs
        case .waits: .waits
        case .cost, .throughput, .frames, .bytes, .allocations: .threads(threads)
        }
    }

    fileprivate var text: String {
      switch self {
      case .threads(let count): "with \(count) thread\(count == 1 ? "" : "s")"
      case .handOffs: "in hand-offs"
      case .waits: "in longest waits"
      }
    }
  }

  /// The noise floor in percent of each kind of contest that the self-check measured.
  package private(set) var percent: [Kind: Double] = [:]

  /// Finds the noise floors of a run; there are none if the run did not include the suite `self-check`.
  package init(_ contests: [ContestReport]) {
    for check in contests where check.suite == Self.suite {
      for contestant in check.contestants where contestant.name != check.reference {
        guard let ratio = check.ratioToReference(contestant) else { continue }
        let kind = Kind(check.metric, threads: check.threads)
        percent[kind] = max(percent[kind] ?? 0, Distance.percent(ofRatio: ratio.median))
      }
    }
  }

  /// The noise floor of a contest, in percent; 0 for counts.
  ///
  /// If the self-check did not measure the contest's kind, the result is the greatest of several threads; for
  /// a contest of one thread, it is `nil`.
  package func floor(of contest: ContestReport) -> Double? {
    if contest.metric.isCounted { return 0 }
    let kind = Kind(contest.metric, threads: contest.threads)
    let several = percent.filter { $0.key > .threads(1) && $0.key < .handOffs }.values.max()
    return percent[kind] ?? (kind == .threads(1) ? nil : several)
  }

  /// All noise floors as text; `nil` if there are none.
  package var text: String? {
    let texts = percent.sorted { $0.key < $1.key }.map { "\(Figures.fixed($1, 1)) % \($0.text)" }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}
