/// The tables that a person reads.
package struct TextReport {
  private let run: RunDescription
  private let suites: [Suite]
  private let measurements: Measurements
  private let targets: [TargetOutcome]

  package init(run: RunDescription, suites: [Suite], measurements: Measurements, targets: [TargetOutcome]) {
    self.run = run
    self.suites = suites
    self.measurements = measurements
    self.targets = targets
  }

  package var text: String {
    let sections = [heading, legend] + suites.flatMap(tables) + [targetTable, disturbances]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// Stands beside a figure of which most rounds were disturbed.
  static let disturbedMark = "!"

  // MARK: Before the tables

  private var heading: [String] {
    let count = run.machine.processorCount
    return [
      "\(run.machine.processor), \(count) processor\(count == 1 ? "" : "s"), \(run.machine.architecture); "
        + run.machine.system,
      "\(run.build.compiler), \(run.build.configuration) build; \(run.options.effort.rawValue) run",
    ]
  }

  private var legend: [String] {
    let schedule = run.options.effort.schedule
    var lines = [
      "How to read the tables",
      "  Every figure is the median of \(schedule.rounds) rounds. In a round everything is measured once, in turn.",
      "  ratio   the figure over that of the contestant that the table's title names, computed in each round.",
      "          This is what to compare by: other machines have other figures and similar ratios.",
      "  ±       how far the ratios of the rounds lie apart: half the distance between the quartiles, in percent",
      "  \(Self.disturbedMark)       most rounds were disturbed by other programs: the figure is not to be trusted",
    ]
    if measurements.contests.contains(where: { $0.metric == .cost }) {
      lines += [
        "  ns      nanoseconds for one operation on one thread, with nobody in the way and with the loop around",
        "          it; less is better",
      ]
    }
    if measurements.contests.contains(where: { $0.metric == .throughput }) {
      lines += [
        "  Mops/s  million operations per second, all threads together; more is better",
        "  fair    operations of the thread that got the fewest in all rounds over those of the one that got the",
        "          most: 1 is even, 0 is starvation",
        "  longest wait  from asking to being inside, of all threads and operations in a further round, because",
        "          reading the clock at each operation slows them down. It includes time in which the system ran",
        "          something else in the place of the lock's owner. That round takes \(schedule.milliseconds.waits) ms,"
          + " or \(schedule.milliseconds.starvation) ms where a",
        "          target speaks of starvation; ≥ stands before a wait of most of a round, which may have cut it",
      ]
    }
    if measurements.contests.contains(where: { $0.metric == .handOffs }) {
      lines += [
        "  M/s     million hand-offs from one thread to another per second; more is better",
        "  CPU     processor time of the process for one hand-off; less is better",
        "  sleeps  how often a thread went to sleep and was woken, for one hand-off; less is better",
      ]
    }
    return lines
  }

  // MARK: Tables

  private func tables(of suite: Suite) -> [[String]] {
    let contests = measurements.contests.filter { $0.suite == suite.name }
    var groups: [String] = []
    for contest in contests where !groups.contains(contest.group) {
      groups.append(contest.group)
    }
    return [["== \(suite.name): \(suite.about)"]]
      + groups.flatMap { group in tables(group, contests.filter { $0.group == group }) }
  }

  /// The tables of one group, each narrow enough for a terminal.
  private func tables(_ group: String, _ contests: [ContestResult]) -> [[String]] {
    guard let first = contests.first else { return [] }
    let comparison = "ratio to \(first.reference)"
    switch first.metric {
    case .cost:
      return [
        table("\(group): nanoseconds, and \(comparison)", contests, ["ns", "ratio", "±"]) {
          [figure($0, $1)] + ratio($0, $1)
        }
      ]
    case .handOffs:
      return [
        table("\(group): hand-offs, \(comparison)", contests, ["M/s", "ratio", "±"]) {
          [figure($0, $1)] + ratio($0, $1)
        },
        table("\(group): what a hand-off takes", contests, ["CPU", "sleeps"]) { _, contestant in
          [
            Summary(contestant.rounds.map(\.processorNanosecondsPerOperation)).map {
              Figures.duration(nanoseconds: Int($0.median))
            } ?? "–",
            Summary(contestant.rounds.map(\.sleepsPerOperation)).map { Figures.fixed($0.median, 2) } ?? "–",
          ]
        },
      ]
    case .throughput:
      let throughput = [
        table("\(group): throughput, \(comparison)", contests, ["ratio", "±"], ratio),
        table("\(group): throughput and fairness", contests, ["Mops/s", "fair"]) {
          [figure($0, $1), $1.fairness.map { Figures.fixed($0, 2) } ?? "–"]
        },
      ]
      // Not every suite looks at waits.
      guard contests.flatMap(\.contestants).contains(where: { $0.waitRound != nil }) else {
        return throughput
      }
      return throughput + [table("\(group): longest wait", contests, [""]) { [longestWait($1)] }]
    case .waits:
      return [
        table("\(group): waits", contests, ["median", "99 %", "longest"]) { _, contestant in
          [0.5, 0.99, 1].map { contestant.wait(at: $0).map(Figures.duration) ?? "–" }
        }
      ]
    }
  }

  private func figure(_ contest: ContestResult, _ contestant: ContestantResult) -> String {
    guard let summary = Summary(contest.values(of: contestant)) else { return "–" }
    return Figures.significant(summary.median) + (contestant.isDisturbed ? Self.disturbedMark : "")
  }

  private func longestWait(_ contestant: ContestantResult) -> String {
    guard let round = contestant.waitRound else { return "–" }
    // The end of the round may have ended the wait.
    let isCut = Double(round.longestWait) > Double(round.nanoseconds) * 0.8
    return (isCut ? "≥ " : "") + Figures.duration(nanoseconds: round.longestWait)
  }

  private func ratio(_ contest: ContestResult, _ contestant: ContestantResult) -> [String] {
    guard let ratio = contest.ratioToReference(contestant) else { return ["–", ""] }
    let isDisturbed = contestant.isDisturbed || contest.contestant(contest.reference)?.isDisturbed == true
    return [
      Figures.significant(ratio.median) + (isDisturbed ? Self.disturbedMark : ""),
      Figures.percent(ratio.spread),
    ]
  }

  /// A table with columns for each contest and a row for each contestant that is in any of them.
  private func table(
    _ title: String, _ contests: [ContestResult], _ columns: [String],
    _ cells: (ContestResult, ContestantResult) -> [String]
  ) -> [String] {
    var names: [String] = []
    for contestant in contests.flatMap(\.contestants) where !names.contains(contestant.name) {
      names.append(contestant.name)
    }
    var table = TextTable(contests.map { TextTable.ColumnGroup($0.title, columns: columns) })
    for name in names {
      table.addRow(
        name,
        contests.flatMap { contest in
          contest.contestant(name).map { cells(contest, $0) } ?? columns.map { _ in "" }
        })
    }
    return ["\(debugLabel)\(title)"] + table.lines
  }

  /// Stands before the title of every table of a debug build.
  private var debugLabel: String {
    run.build.isDebug ? "[DEBUG BUILD, not a measurement] " : ""
  }

  // MARK: After the tables

  private var targetTable: [String] {
    guard !targets.isEmpty else { return [] }
    var table = TextTable([TextTable.ColumnGroup("", columns: ["claimed", "measured", "±", "holds"])])
    for outcome in targets {
      table.addRow(
        outcome.target.claim,
        [outcome.boundText, outcome.figureText, outcome.spreadText, outcome.verdict])
    }
    return [
      "\(debugLabel)== Targets: what the project claims, and what this run says. For information: the exit status",
      "   does not depend on it.",
    ] + table.lines
  }

  private var disturbances: [String] {
    var lines = [
      "Rounds measured again because a thread that should have had a processor did without for a while: "
        + "\(measurements.redone).",
      "Rounds that stand although that happened: \(measurements.disturbed) of \(measurements.rounds.count).",
    ]
    if measurements.disturbed * 10 > measurements.rounds.count {
      lines += [
        "That is many: other programs are running. Threads that share a processor do not contend, so figures and",
        "ratios of two and more threads are misleading. Measure again on a quiet machine.",
      ]
    }
    return lines
  }
}
