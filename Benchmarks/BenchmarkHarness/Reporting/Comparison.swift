/// Compares a report with an earlier one, and finds the implementations (contestants) that became slower or
/// faster.
///
/// The comparison uses each contestant's ratio to the reference, because the machine's state affects the
/// contestant and the reference alike. Counts are compared directly. Other figures are compared directly only
/// if a ratio is missing. For example, a filter may have excluded the reference.
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
    /// The factor by which the measured implementation became slower; less than 1 if it became faster.
    ///
    /// It is `new / old` for times and counts, and `old / new` for throughput and other rates.
    package let slowdown: Double
    /// The size, in percent, that the change must exceed to count as slower or faster: `leastChange` or more.
    package let noise: Double
    /// Whether the change is judged, so that it can count as slower or faster.
    ///
    /// It is judged if the figures are of one thread, and both reports have enough rounds of the
    /// implementation and of its reference, without too many disturbed ones.
    package let isJudged: Bool
    /// Whether the figures themselves are compared because a ratio to the reference is missing.
    ///
    /// It is `false` for counts, which are never divided by a reference.
    package let lacksReference: Bool

    /// The change in percent, regardless of its direction: 100 for both twice as slow and twice as fast.
    private var size: Double { Distance.percent(ofRatio: slowdown) }

    package var isSlower: Bool { isJudged && slowdown > 1 && size > noise }
    package var isFaster: Bool { isJudged && slowdown < 1 && size > noise }
  }

  package let changes: [Change]
  /// The implementations that occur in both reports, but can't be compared because a figure is missing.
  package let incomparable: [String]
  /// The implementations that only the earlier report has.
  package let missing: [String]
  /// Sentences that name the differences between the machines, builds and efforts of the two runs.
  package let caveats: [String]

  package init(of new: Report, with old: Report) {
    var changes: [Change] = []
    var incomparable: [String] = []
    var missing: [String] = []
    let floors = [old.noiseFloor, new.noiseFloor]
    for contest in old.contests where contest.suite != NoiseFloor.suite {
      let other = new.contests.first { $0.path == contest.path && $0.metric == contest.metric }
      for contestant in contest.contestants {
        let path = "\(contest.path): \(contestant.name)"
        guard let other, let now = other.contestant(contestant.name) else {
          missing.append(path)
          continue
        }
        /// Whether a report has enough rounds of the implementation and of its reference, and the figures of
        /// both are undisturbed (see `Report.isDisturbed(_:in:)`).
        func canJudge(_ report: Report, _ contest: ContestReport, _ contestant: ContestantReport) -> Bool {
          let compared = [contestant] + [contest.contestant(contest.reference)].compactMap(\.self)
          return contest.hasEnoughRounds(contestant)
            && !compared.contains { report.isDisturbed($0, in: contest) }
        }
        // Each run's ratio may differ from its true value by the noise floor of that run. In the worst case,
        // the two errors multiply: floors of 2 and 3 percent give a factor of 1.02 · 1.03.
        let floor = floors.compactMap { $0.floor(of: contest) }.reduce(1) { $0 * (1 + $1 / 100) }
        let isCounted = contest.metric.isCounted
        let isReference = contestant.name == contest.reference
        // The reference is skipped, because its ratio is always 1. A change of the reference shows in the
        // ratios of the other implementations.
        if isReference, !isCounted, other.contestants.count > 1 { continue }
        let ratios = (contest.ratioToReference(contestant), other.ratioToReference(now))
        let lacksReference = !isCounted && (isReference || ratios.0 == nil || ratios.1 == nil)
        let (before, after) = isCounted || lacksReference ? (contestant.summary, now.summary) : ratios
        guard let before, let after else {
          incomparable.append(path)
          continue
        }
        changes.append(
          Change(
            path: path, old: before.median, new: after.median,
            slowdown: contest.metric.isLessBetter
              ? Self.growth(from: before.median, to: after.median)
              : Self.growth(from: after.median, to: before.median),
            noise: max(
              Self.leastChange, (floor - 1) * 100,
              2 * [before, after].map(Distance.percent(betweenQuartilesOf:)).reduce(0, +)),
            isJudged: !contest.isOfSeveralThreads && canJudge(old, contest, contestant)
              && canJudge(new, other, now),
            lacksReference: lacksReference))
      }
    }
    self.changes = changes
    self.incomparable = incomparable
    self.missing = missing
    caveats = Self.caveats(new.run, old.run)
  }

  /// The factor by which a figure has grown: 1 if both figures are 0, infinity if only `before` is 0.
  private static func growth(from before: Double, to after: Double) -> Double {
    before == after ? 1 : after / before
  }

  private static func caveats(_ new: RunDescription, _ old: RunDescription) -> [String] {
    var caveats: [String] = []
    if new.machine != old.machine {
      caveats.append("the machines differ: \(old.machine.processor), now \(new.machine.processor)")
    }
    if new.build != old.build {
      caveats.append(
        "the builds differ: \(old.build.compiler), \(old.build.configuration),"
          + " now \(new.build.compiler), \(new.build.configuration)")
    }
    if new.effort != old.effort {
      caveats.append("the runs differ: \(old.effort.rawValue), now \(new.effort.rawValue)")
    }
    return caveats
  }

  /// Whether at least one change is judged, and no implementation is `incomparable`.
  package var isComplete: Bool { changes.contains(where: \.isJudged) && incomparable.isEmpty }

  package var slower: [Change] { changes.filter(\.isSlower).sorted { $0.slowdown > $1.slowdown } }
  package var faster: [Change] { changes.filter(\.isFaster).sorted { $0.slowdown < $1.slowdown } }

  package var text: String {
    var lines = ["== Compared with the earlier report: ratios to each contest's reference"]
    lines += caveats.map { "   Careful: \($0)." }
    let absolute = changes.count(where: \.lacksReference)
    if absolute > 0 {
      lines.append(
        "   Careful: \(absolute) without their reference, compared by the figures themselves, in which"
          + " another day's machine shows.")
    }
    for (title, changes) in [("slower", slower), ("faster", faster)] where !changes.isEmpty {
      var table = TextTable([TextTable.ColumnGroup("", columns: ["before", "now", "time", "noise up to"])])
      for change in changes {
        table.addRow(
          "\(title): \(change.path)",
          [
            Figures.significant(change.old), Figures.significant(change.new), Figures.times(change.slowdown),
            "\(Figures.fixed(change.noise, 0)) %",
          ])
      }
      lines += table.lines
    }
    let unjudged = changes.count { !$0.isJudged }
    lines.append(
      "\(slower.count) slower, \(faster.count) faster,"
        + " \(changes.count - slower.count - faster.count - unjudged) the same within the noise;"
        + " \(unjudged) not judged (several threads, disturbed, or fewer than \(ContestReport.leastRounds) rounds),"
        + " \(incomparable.count) without figures, \(missing.count) not measured now.")
    return lines.joined(separator: "\n")
  }
}
