/// Compares a report with an earlier one, and finds the contestants that became slower or faster.
///
/// The comparison uses each contestant's ratio to the reference, because the machine's state affects both
/// alike. Counts are compared directly. Other figures are compared directly only if a ratio is missing. For
/// example, a filter may have excluded the reference.
///
/// Figures of several threads are not judged. The threads of a run tend to keep one pattern of interleaving,
/// and another run can have another pattern. Two runs of the same binary can therefore differ by a large
/// factor, although the spread within each run is small.
///
/// A change counts if it exceeds the greatest of
/// - `leastChange` percent,
/// - the combined noise floor of the two runs (see `NoiseFloor`),
/// - twice the sum of `Distance.percent(betweenQuartilesOf:)` in both runs, which is about five standard
///   errors of the difference between two medians.
package struct Comparison: Sendable, Equatable {
  /// A change of at most this many percent never counts as slower or faster, however small the noise is.
  package static let leastChange = 5.0

  /// A contestant that both reports have.
  package struct Change: Sendable, Equatable {
    package let path: String
    package let old: Double
    package let new: Double
    /// The factor by which the contestant became slower; less than 1 if it became faster.
    package let slowdown: Double
    /// The size, in percent, that the change must exceed to count as slower or faster: `leastChange` or more.
    package let noise: Double
    /// Whether the change can count as slower or faster: the figures are of one thread, and both reports have
    /// enough rounds of the contestant and of its reference, without too many disturbed ones.
    package let isJudged: Bool

    package var isSlower: Bool { isJudged && slowdown > 1 && isBeyondNoise }
    package var isFaster: Bool { isJudged && slowdown < 1 && isBeyondNoise }

    private var isBeyondNoise: Bool { Distance.percent(ofRatio: slowdown) > noise }
  }

  package private(set) var changes: [Change] = []
  /// The contestants that both reports have, but that can't be compared because a figure is missing.
  package private(set) var incomparable: [String] = []
  /// The contestants that only the earlier report has.
  package private(set) var missing: [String] = []
  /// Whether the two runs differ in machine, build or effort.
  private let isUnequal: Bool

  package init(of new: Report, with old: Report) {
    let (run, earlier) = (new.run, old.run)
    isUnequal =
      run.machine != earlier.machine || run.compiler != earlier.compiler
      || run.configuration != earlier.configuration || run.effort != earlier.effort
    let floors = [old, new].map { NoiseFloor($0.contests) }
    for contest in old.contests where contest.suite != NoiseFloor.suite {
      let other = new.contests.first { $0.path == contest.path && $0.metric == contest.metric }
      for contestant in contest.contestants {
        let path = "\(contest.path): \(contestant.name)"
        // A reference's ratio is always 1. Its change shows in the ratios of the other contestants.
        if contestant.name == contest.reference, !contest.metric.isCounted,
          other?.contestants.count ?? 0 > 1
        {
          continue
        }
        if let other, let now = other.contestant(contestant.name) {
          let change = Change(
            path, (old, floors[0], contest, contestant), (new, floors[1], other, now))
          if let change { changes.append(change) } else { incomparable.append(path) }
        } else {
          missing.append(path)
        }
      }
    }
  }

  /// Whether at least one change is judged, and no contestant is `incomparable`.
  package var isComplete: Bool { changes.contains(where: \.isJudged) && incomparable.isEmpty }

  package var slower: [Change] { changes.filter(\.isSlower).sorted { $0.slowdown > $1.slowdown } }
  package var faster: [Change] { changes.filter(\.isFaster).sorted { $0.slowdown < $1.slowdown } }

  package var text: String {
    var table = Table(title: "", groups: [("", ["before", "now", "time", "noise up to"])])
    for (title, changes) in [("slower", slower), ("faster", faster)] {
      for change in changes {
        let texts = [
          Figures.significant(change.old), Figures.significant(change.new),
          "\(Figures.significant(change.slowdown))×",
          "\(Figures.fixed(change.noise, 0)) %",
        ]
        table.rows.append(Table.Row(name: "\(title): \(change.path)", cells: texts.map { .text($0) }))
      }
    }
    let unjudged = changes.count { !$0.isJudged }
    let same = changes.count - slower.count - faster.count - unjudged
    let caveat = isUnequal ? ["   Careful: the machines, builds or efforts of the two runs differ."] : []
    return
      (["== Compared with the earlier report: ratios to each contest's reference"] + caveat
      + (table.rows.isEmpty ? [] : table.lines) + [
        "\(slower.count) slower, \(faster.count) faster, \(same) the same within the noise;"
          + " \(unjudged) not judged (several threads, disturbed, or fewer than \(ContestReport.leastRounds)"
          + " rounds), \(incomparable.count) without figures, \(missing.count) not measured now."
      ]).joined(separator: "\n")
  }
}

extension Comparison.Change {
  fileprivate typealias Place = (
    report: Report, noiseFloor: NoiseFloor, contest: ContestReport, contestant: ContestantReport
  )

  /// Compares the figures of a contestant in two reports; `nil` if a figure is missing.
  fileprivate init?(_ path: String, _ old: Place, _ new: Place) {
    let ratios = [old, new].compactMap { $0.contest.ratioToReference($0.contestant) }
    let isReference = old.contestant.name == old.contest.reference
    let usesRatios = !old.contest.metric.isCounted && !isReference && ratios.count == 2
    let figures = usesRatios ? ratios : [old, new].compactMap(\.contestant.summary)
    guard figures.count == 2 else { return nil }
    let (before, now) = (figures[0].median, figures[1].median)
    let growth = before == now ? 1 : now / before
    // Each run's ratio may differ from its true value by the noise floor of that run. In the worst case, the
    // two errors multiply: floors of 2 and 3 percent give a factor of 1.02 · 1.03.
    let floor = [old, new].reduce(1) { $0 * (1 + ($1.noiseFloor.floor(of: $1.contest) ?? 0) / 100) }
    let quartiles = figures.map(Distance.percent(betweenQuartilesOf:)).reduce(0, +)
    self.init(
      path: path, old: before, new: now,
      slowdown: old.contest.metric.isLessBetter ? growth : 1 / growth,
      noise: max(Comparison.leastChange, (floor - 1) * 100, 2 * quartiles),
      isJudged: [old, new].allSatisfy { report, _, contest, contestant in
        let compared = [contestant, contest.contestant(contest.reference)].compactMap(\.self)
        return !contest.isOfSeveralThreads && !compared.contains { report.isUndecided($0, in: contest) }
      })
  }
}
