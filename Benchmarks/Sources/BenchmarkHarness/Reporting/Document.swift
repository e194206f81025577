/// What a report says, in the order in which the tables of the terminal and the page say it.
struct Document {
  enum Block {
    /// The beginning of a suite or of another part.
    case heading(String)
    case paragraph(String)
    case table(Table)
    /// The text for the terminal has no charts.
    case chart(LineChart)
  }

  private let report: Report
  private let check: TargetCheck

  /// - Parameter targets: The claims to check against the figures of the report.
  init(_ report: Report, targets: [Target]) {
    self.report = report
    check = TargetCheck(targets, in: report)
  }

  var blocks: [Block] {
    warnings + [.paragraph(conditions)] + legend
      + report.suites.flatMap(suite) + self.targets + closing + warnings
  }

  var charts: [LineChart] {
    blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
  }

  // MARK: Before the tables

  private var warnings: [Block] {
    [
      report.isInterrupted
        ? "INTERRUPTED: some contests are missing or have fewer rounds than the others of such a run." : nil,
      report.run.isDebug ? "DEBUG BUILD, not a measurement." : nil,
      report.isDisturbed
        ? "DISTURBED: other programs were running. Threads that share a processor do not contend, so figures"
          + " and ratios of two and more threads are misleading. Measure again on a quiet machine." : nil,
    ].compactMap { $0.map { .paragraph($0) } }
  }

  private var conditions: String {
    let (run, machine) = (report.run, report.run.machine)
    return "\(machine.processor), \(machine.processorCount) processors;"
      + " \(machine.system). \(run.compiler), \(run.configuration) build, \(run.effort.rawValue) run."
  }

  private var legend: [Block] {
    let schedule = report.run.effort.schedule
    return [
      .heading("how to read the tables"),
      .paragraph(
        "Every figure is the median of up to \(schedule.rounds) rounds. In a round everything is measured"
          + " once, in turn. Compare by the ratios: other machines have other figures and similar ratios."),
      .paragraph(
        "ratio: the figure over that of the contestant that the table's title names. It is the median of the"
          + " rounds' ratios, which is not the quotient of the two medians. ±: half the distance between the"
          + " quartiles of the rounds, in percent. A bar that ends in ▸ would be longer than there is room."
          + " Threads that meet keep one of several rhythms for a whole run: throughputs of two and more threads"
          + " and hand-offs may differ by more than ± from run to run."),
      .paragraph(
        "ns: of one operation with its loop, on one thread. Mops/s, M/s: million operations or hand-offs per"
          + " second, all threads together. fps: frames per second, at most"
          + " \(Figures.fixed(Metric.mostFrames, 0)), because no display shows more. CPU: processor time for"
          + " one operation."),
      .paragraph(
        "fair: operations of the slowest thread in all rounds over those of the fastest: 1 is even, 0 is"
          + " starvation. sleeps: how often a thread slept and was woken, for one hand-off."),
      .paragraph(
        "wait: the longest from asking to being inside, in a further round of \(schedule.waits) ms, or of"
          + " \(schedule.starvation) ms where a target speaks of starvation; ≥ stands before a wait that the"
          + " round may have cut. It includes time in which the system ran something else in the place of the"
          + " lock's owner."),
    ]
  }

  // MARK: Suites

  private func suite(_ suite: Suite.Heading) -> [Block] {
    let contests = report.contests.filter { $0.suite == suite.name }
    if contests.isEmpty { return [] }
    var groups: [[ContestReport]] = []
    for contest in contests {
      let index = groups.firstIndex { $0[0].group == contest.group && $0[0].metric == contest.metric }
      if let index { groups[index].append(contest) } else { groups.append([contest]) }
    }
    return [.heading("\(suite.name): \(suite.about)")]
      + (suite.reading.isEmpty ? [] : [.paragraph(suite.reading)])
      + groups.flatMap { tables($0).map { .table($0) } }
      + (groups.compactMap(series) + sweeps(contests, of: suite.name)).map { .chart($0) }
  }

  /// The tables of one group, each narrow enough for a terminal.
  private func tables(_ group: [ContestReport]) -> [Table] {
    let comparison = "ratio to \(group[0].reference)"
    switch group[0].metric {
    case .cost:
      return [
        table("nanoseconds, and \(comparison)", group, ["ns", "ratio", "±", ""]) {
          figure($1) + ratio($0, $1) + bar($0, $1, columns: group.count)
        }
      ]
    case .handOffs:
      return [
        table("hand-offs, and \(comparison)", group, ["M/s", "ratio", "±", ""]) {
          figure($1) + ratio($0, $1) + bar($0, $1, columns: group.count)
        },
        table("what a hand-off takes", group, ["CPU", "sleeps"]) {
          processorTime($1) + [.text(Summary($1.sleeps).map { Figures.fixed($0.median, 2) } ?? "–")]
        },
      ]
    case .throughput:
      let measuresWaits = group.flatMap(\.contestants).contains { $0.longestWait != nil }
      return [
        table("throughput, \(comparison)", group, ["ratio", "±", ""]) {
          ratio($0, $1) + bar($0, $1, columns: group.count)
        },
        table("throughput and fairness", group, ["Mops/s", "fair"]) {
          figure($1) + [.text($1.fairness.map { Figures.fixed($0, 2) } ?? "–")]
        },
        table("longest wait, and processor time", group, measuresWaits ? ["wait", "CPU"] : ["CPU"]) {
          (measuresWaits ? longestWait($1) : []) + processorTime($1)
        },
      ]
    case .waits:
      return [
        table("waits", group, ["median", "99 %", "longest"]) { _, contestant in
          let waits = contestant.waits.map { Figures.duration(nanoseconds: Double($0)) }
          return (waits.isEmpty ? ["–", "–", "–"] : waits).map { .text($0) }
        }
      ]
    case .frames, .bytes, .allocations:
      return [
        table(group[0].metric.rawValue, group, [group[0].metric.unit, ""]) {
          figure($1) + bar($0, $1, columns: group.count)
        }
      ]
    }
  }

  private func figure(_ contestant: ContestantReport) -> [Table.Cell] {
    [.text(contestant.summary.map { Figures.significant($0.median) } ?? "–")]
  }

  private func processorTime(_ contestant: ContestantReport) -> [Table.Cell] {
    let time = Summary(contestant.processorNanoseconds)
    return [.text(time.map { Figures.duration(nanoseconds: $0.median) } ?? "–")]
  }

  private func longestWait(_ contestant: ContestantReport) -> [Table.Cell] {
    let mark = contestant.isWaitCut ? "≥ " : ""
    let wait = contestant.longestWait.map { mark + Figures.duration(nanoseconds: Double($0)) }
    return [.text(wait ?? "–")]
  }

  private func ratio(_ contest: ContestReport, _ contestant: ContestantReport) -> [Table.Cell] {
    let ratio = contest.ratioToReference(contestant)
    return [
      .text(ratio.map { Figures.significant($0.median) } ?? "–"),
      .text(ratio.map { Figures.percent($0.spread) } ?? ""),
    ]
  }

  /// The bar is horizontal in a table with one or two contests (columns), otherwise vertical and one
  /// character wide.
  private func bar(
    _ contest: ContestReport, _ contestant: ContestantReport, columns: Int
  ) -> [Table.Cell] {
    let greatest = contest.contestants.compactMap { $0.summary?.median }.max()
    guard let summary = contestant.summary, var limit = greatest else { return [.text("")] }
    // If less is better, bars are cut off at eight times the figure of the reference. Otherwise one slow
    // contestant would make all other bars too short to see.
    if contest.metric.isLessBetter, let reference = contest.contestant(contest.reference)?.summary?.median,
      reference > 0
    {
      limit = min(limit, reference * 8)
    }
    return [
      .bar(Table.Bar(summary: summary, limit: limit, width: columns > 2 ? 1 : columns == 1 ? 24 : 12))
    ]
  }

  /// A table with columns for each contest, and a row for each contestant, category by category.
  ///
  /// Contestants that don't take part in a contest have empty cells in its columns.
  private func table(
    _ title: String, _ group: [ContestReport], _ columns: [String],
    _ cells: (ContestReport, ContestantReport) -> [Table.Cell]
  ) -> Table {
    var table = Table(title: "\(group[0].group): \(title)", groups: group.map { ($0.title, columns) })
    var rest = group.flatMap(\.contestants)
    var category: Category?
    while let next = rest.first(where: { $0.category == category }) ?? rest.first {
      if next.category != category {
        category = next.category
        if let category {
          table.rows.append(Table.Row(name: "\(category.title): \(category.about)", cells: nil))
        }
      }
      let cells = group.flatMap { contest in
        contest.contestant(next.name).map { cells(contest, $0) } ?? columns.map { _ in .text("") }
      }
      table.rows.append(Table.Row(name: category == nil ? next.name : "  \(next.name)", cells: cells))
      rest.removeAll { $0.name == next.name }
    }
    return table
  }

  // MARK: Charts

  /// The chart of a group whose contests have different values of a numeric `Parameter`; `nil` for others.
  private func series(_ group: [ContestReport]) -> LineChart? {
    let points = group.compactMap { contest in contest.parameter.map { (x: $0, contest: contest) } }
    guard points.count == group.count, Set(points.map(\.x)).count > 1 else { return nil }
    return LineChart(
      title: "\(group[0].suite): \(group[0].group)", axis: group[0].parameterName ?? "", points)
  }

  /// Charts of throughput against the number of threads, for contests that have the same title.
  private func sweeps(_ contests: [ContestReport], of suite: String) -> [LineChart] {
    let contests = contests.filter { $0.metric == .throughput }
    var titles: [String] = []
    for contest in contests where !titles.contains(contest.title) { titles.append(contest.title) }
    return titles.compactMap { title in
      let points = contests.filter { $0.title == title }.map { (x: Double($0.threads), contest: $0) }
      guard Set(points.map(\.x)).count == points.count, points.count > 1 else { return nil }
      return LineChart(title: "\(suite): \(title), with more and more threads", axis: "threads", points)
    }
  }

  // MARK: After the tables

  private var targets: [Block] {
    let measured = check.outcomes.filter(\.isMeasured)
    if measured.isEmpty { return [] }
    var table = Table(title: "", groups: [("", ["claimed", "measured", "quartiles", "holds"])])
    for outcome in measured {
      let texts = [outcome.bound, outcome.figure, outcome.quartiles, outcome.verdict.rawValue]
      table.rows.append(Table.Row(name: outcome.claim, cells: texts.map { .text($0) }))
    }
    return [
      .heading("targets: what the project claims, and what this run says"),
      .paragraph(
        "The exit status depends on it with --check only. Undecided: the bound lies between the quartiles of"
          + " the rounds, or there were fewer than \(ContestReport.leastRounds) rounds, or other programs"
          + " disturbed them."), .table(table), .paragraph(check.summary),
    ]
  }

  private var closing: [Block] {
    var texts: [String] = []
    if let floors = NoiseFloor(report.contests).text {
      texts.append(
        "Noise floor: two identical contestants differ by \(floors). Smaller differences between others mean"
          + " nothing.")
    }
    let growths = report.contests.flatMap(\.contestants).compactMap(\.growth)
    if let least = growths.min(), let most = growths.max() {
      texts.append(
        "Loops checked: \(OptimizerGuard.factor) times the operations took \(Figures.fixed(least, 1)) to"
          + " \(Figures.fixed(most, 1)) times as long, in \(growths.count) loops.")
    }
    let rounds = report.contests.flatMap(\.contestants).flatMap(\.disturbed)
    texts.append(
      "Rounds measured again because a thread that should have had a processor did without for a while:"
        + " \(report.roundsRedone). Rounds that stand although that happened: \(rounds.count { $0 }) of"
        + " \(rounds.count).")
    return [.heading("the run")] + (texts + report.complaints).map { .paragraph($0) }
  }
}

extension Document {
  /// The report for a terminal.
  var text: String {
    blocks.compactMap { block -> String? in
      switch block {
      case .heading(let text): "== \(text)"
      case .paragraph(let text): Self.wrapped(text)
      case .table(let table):
        ((table.title.isEmpty ? [] : [table.title]) + table.lines).joined(separator: "\n")
      case .chart: nil
      }
    }.joined(separator: "\n\n")
  }

  /// Breaks a text into lines of at most a hundred characters.
  private static func wrapped(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
