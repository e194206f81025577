/// The noise of a run, measured as the difference between two measurements of identical code.
///
/// The suite `self-check` measures the same code under two names, in one or more contests of each kind (see
/// `Contest` and `Kind`). The greatest difference between the two results is the noise floor of the kind, in
/// percent. If other implementations differ by less than the noise floor, the difference may be noise.
package struct NoiseFloor: Sendable, Equatable {
  /// The suite that measures identical code under two names.
  package static let suite = "self-check"

  /// A kind of contest; all contests of a kind have the same noise floor.
  package enum Kind: Sendable, Hashable {
    /// Contests whose operations run on the given number of threads.
    case threads(Int)
    case handOffs
    case waits

    init(_ contest: ContestReport) {
      self =
        switch contest.metric {
        case .handOffs: .handOffs
        case .waits: .waits
        case .cost, .throughput, .frames, .bytes, .allocations: .threads(contest.threads)
        }
    }
  }

  /// The noise floor in percent of each kind of contest that the self-check measured.
  package let percent: [Kind: Double]

  package init(_ percent: [Kind: Double]) {
    self.percent = percent
  }

  package var oneThread: Double? { percent[.threads(1)] }

  /// The greatest noise floor of contests with several threads, in percent; `nil` if none was measured.
  package var severalThreads: Double? { byThreads.map(\.percent).max() }

  /// The noise floors of contests with several threads, in percent, ordered by the number of threads.
  package var byThreads: [(threads: Int, percent: Double)] {
    percent.compactMap { kind, percent in
      if case .threads(let threads) = kind, threads > 1 { (threads, percent) } else { nil }
    }.sorted { $0.threads < $1.threads }
  }

  /// The noise floor of a contest, in percent; 0 for counts.
  ///
  /// If the self-check did not measure the contest's kind, the result is `severalThreads`; for a contest of
  /// one thread, it is `nil`.
  package func floor(of contest: ContestReport) -> Double? {
    if contest.metric.isCounted { return 0 }
    let kind = Kind(contest)
    return percent[kind] ?? (kind == .threads(1) ? nil : severalThreads)
  }

  /// All noise floors as text; `nil` if the run did not measure the suite `self-check`.
  package var text: String? {
    let floors =
      [(oneThread, "with 1 thread")] + byThreads.map { ($0.percent, "with \($0.threads)") }
      + [(percent[.handOffs], "in hand-offs"), (percent[.waits], "in longest waits")]
    let texts = floors.compactMap { percent, words in percent.map { "\(Figures.fixed($0, 1)) % \(words)" } }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

extension Report {
  /// The noise floors that the suite `self-check` measured in this run; empty if the run did not include it.
  package var noiseFloor: NoiseFloor {
    var percent: [NoiseFloor.Kind: Double] = [:]
    for check in contests where check.suite == NoiseFloor.suite {
      for contestant in check.contestants where contestant.name != check.reference {
        guard let ratio = check.ratioToReference(contestant) else { continue }
        percent[NoiseFloor.Kind(check), default: 0].raise(
          to: Distance.percent(ofRatio: ratio.median))
      }
    }
    return NoiseFloor(percent)
  }
}

extension Double {
  fileprivate mutating func raise(to value: Double) { self = max(self, value) }
}
