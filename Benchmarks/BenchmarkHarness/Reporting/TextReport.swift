/// The tables of a report for a terminal.
package struct TextReport {
  private let report: Report
  private var run: RunDescription { report.run }

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    var sections = [heading, legend]
    for (suite, groups) in report.groups {
      sections.append(["== \(suite.name): \(suite.about)"] + Self.wrapped(suite.reading))
      sections += groups.flatMap(tables)
    }
    sections += [contention, targetTable, noise, loops, disturbances, interruption]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// Breaks a text into lines of at most a hundred characters, indented by three spaces.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("   " + word)
      }
    }
    return lines
  }

  /// The warning that the run was interrupted, printed before and after everything else; empty for a complete
  /// run.
  private var interruption: [String] {
    report.isInterrupted
      ? ["INTERRUPTED: some contests are missing or have fewer rounds than the others of such a run."] : []
  }

  private var contention: [String] {
    guard let profile = report.contention else { return [] }
    return ["== Contention"] + Self.wrapped(Report.aboutContention) + ["", profile]
  }

  // MARK: Before the tables

  private var heading: [String] {
    let count = run.machine.processorCount
    return interruption + [
      "\(run.machine.processor), \(count) processor\(count == 1 ? "" : "s"), \(run.machine.architecture); "
        + run.machine.system,
      "\(run.build.compiler), \(run.build.configuration) build; \(run.effort.rawValue) run, --seed"
        + " \(run.seed)",
    ]
  }

  private var legend: [String] {
    let schedule = run.effort.schedule
    let wide = Figures.fixed(Mark.widestSpread, 0)
    var lines = [
      "How to read the tables",
      "  Every figure is the median of \(schedule.rounds) rounds. In a round everything is measured"
        + " once, in turn.",
      "  ratio   the figure over that of the contestant that the table's title names: the median of the"
        + " rounds'",
      "          ratios, which is not the quotient of the two medians. This is what to compare by: other",
      "          machines have other figures and similar ratios.",
      "  ±       how far the ratios of the rounds lie apart: half the distance between the quartiles,"
        + " in percent",
      "  \(Mark.disturbed.rawValue)       most rounds were disturbed by other programs: the figure is"
        + " not to be trusted",
      "  \(Mark.wide.rawValue)       the rounds lie far apart (± more than \(wide) %): only its"
        + " magnitude is to be trusted",
      "  █▂      the figure as a bar, from 0; ▸ at its end: it would be longer than there is room",
    ]
    if measures(.cost) {
      lines += [
        "  ns      nanoseconds for one operation on one thread, with nobody in the way and with the"
          + " loop around",
        "          it; less is better",
      ]
      lines +=
        hasInstructions ? ["  instr   processor instructions for one operation, with the loop around it"] : []
    }
    if measures(.throughput) {
      lines += [
        "  Mops/s  million operations per second, all threads together; more is better",
        "  fair    operations of the thread that got the fewest in all rounds over those of the one"
          + " that got the",
        "          most: 1 is even, 0 is starvation",
        "  CPU     processor time for one operation; less is better. Threads that spin use more than"
          + " threads that",
        "          sleep",
        "  longest wait  from asking to being inside, of all threads and operations in a further round,"
          + " because",
        "          reading the clock at each operation slows them down. It includes time in which the"
          + " system ran",
        "          something else in the place of the lock's owner. That round takes"
          + " \(schedule.milliseconds.waits) ms,"
          + " or \(schedule.milliseconds.starvation) ms where a",
        "          target speaks of starvation; ≥ stands before a wait of most of a round, which may"
          + " have cut it",
      ]
    }
    if measures(.handOffs) {
      lines += [
        "  M/s     million hand-offs from one thread to another per second; more is better",
        "  sleeps  how often a thread went to sleep and was woken, for one hand-off; less is better",
      ]
    }
    if measures(.frames) {
      let most = Figures.fixed(Metric.mostFrames, 0)
      lines += [
        "  fps     frames per second of a program that does nothing else, at most \(most); more is better"
      ]
    }
    return lines
  }

  private func measures(_ metric: Metric) -> Bool {
    report.contests.contains { $0.metric == metric }
  }

  private var hasInstructions: Bool {
    report.contests.flatMap(\.contestants).contains { !$0.instructions.isEmpty }
  }

  // MARK: Tables

  /// The tables of one group, each as an array of lines that are narrow enough for a terminal.
  private func tables(_ group: Report.Group) -> [[String]] {
    guard let first = group.contests.first else { return [] }
    let comparison = "ratio to \(first.reference)"
    switch group.metric {
    case .cost:
      return [
        table("nanoseconds, and \(comparison)", group, ["ns", "ratio", "±"] + instructionTitle + [""]) {
          [figure($0, $1)] + ratio($0, $1) + instructions($1) + [bar($0, $1, columns: group.contests.count)]
        }
      ]
    case .handOffs:
      return [
        table("hand-offs, \(comparison)", group, ["M/s", "ratio", "±", ""]) {
          [figure($0, $1)] + ratio($0, $1) + [bar($0, $1, columns: group.contests.count)]
        },
        table("what a hand-off takes", group, ["CPU", "sleeps"]) {
          [processorTime($1), Summary($1.sleeps).map { Figures.fixed($0.median, 2) } ?? "–"]
        },
      ]
    case .throughput:
      return [
        table("throughput, \(comparison)", group, ["ratio", "±", ""]) {
          ratio($0, $1) + [bar($0, $1, columns: group.contests.count)]
        },
        table("throughput and fairness", group, ["Mops/s", "fair"]) {
          [figure($0, $1), $1.fairnessInAll.map { Figures.fixed($0, 2) } ?? "–"]
        },
      ] + waitsAndProcessorTime(group)
    case .waits:
      return [
        table("waits", group, ["median", "99 %", "longest"]) { _, contestant in
          contestant.waits.isEmpty ? ["–", "–", "–"] : contestant.waits.map(Figures.duration)
        }
      ]
    case .frames:
      return [
        table("frames per second", group, ["fps", ""]) {
          [figure($0, $1), bar($0, $1, columns: group.contests.count)]
        }
      ]
    case .bytes, .allocations:
      return [
        table(group.metric.quantity, group, [group.metric.unit, ""]) {
          [figure($0, $1), bar($0, $1, columns: group.contests.count)]
        }
      ]
    }
  }

  private func waitsAndProcessorTime(_ group: Report.Group) -> [[String]] {
    // A group that measures no waits gets a table without a column for waits.
    guard group.contests.flatMap(\.contestants).contains(where: { $0.waitRound != nil }) else {
      return [table("processor time", group, ["CPU"]) { [processorTime($1)] }]
    }
    return [
      table("longest wait, and processor time", group, ["wait", "CPU"]) {
        [longestWait($1), processorTime($1)]
      }
    ]
  }

  // MARK: Cells

  private func figure(_ contest: ContestReport, _ contestant: ContestantReport) -> String {
    guard let summary = contestant.summary else { return "–" }
    return contest.metric.text(summary.median) + (contestant.mark?.rawValue ?? "")
  }

  private func processorTime(_ contestant: ContestantReport) -> String {
    Summary(contestant.processorNanoseconds).map { Figures.duration(nanoseconds: $0.median) } ?? "–"
  }

  private func longestWait(_ contestant: ContestantReport) -> String {
    guard let round = contestant.waitRound else { return "–" }
    return (round.isCut ? "≥ " : "") + Figures.duration(nanoseconds: round.longestWait)
  }

  private func ratio(_ contest: ContestReport, _ contestant: ContestantReport) -> [String] {
    guard let ratio = contest.ratioToReference(contestant) else { return ["–", ""] }
    let mark = Mark(isDisturbed: contest.isRatioDisturbed(contestant), spread: ratio.spread)
    return [Figures.significant(ratio.median) + (mark?.rawValue ?? ""), Figures.percent(ratio.spread)]
  }

  private var instructionTitle: [String] { hasInstructions ? ["instr"] : [] }

  private func instructions(_ contestant: ContestantReport) -> [String] {
    guard hasInstructions else { return [] }
    return [Summary(contestant.instructions).map { Figures.significant($0.median) } ?? "–"]
  }

  /// Draws the median of a measured implementation as a bar.
  ///
  /// The bar is horizontal in a table with one or two contests (columns), otherwise vertical and one
  /// character wide.
  private func bar(_ contest: ContestReport, _ contestant: ContestantReport, columns: Int) -> String {
    let medians = contest.contestants.compactMap { $0.summary?.median }
    guard let value = contestant.summary?.median, let greatest = medians.max() else { return "" }
    var limit = greatest
    // If less is better, bars are cut off at eight times the figure of the reference. Otherwise one slow
    // implementation would make all other bars too short to see.
    if contest.metric.isLessBetter, let reference = contest.contestant(contest.reference)?.summary?.median,
      reference > 0
    {
      limit = min(limit, reference * 8)
    }
    return columns > 2
      ? TextBar.standing(value, of: limit) : TextBar.lying(value, of: limit, width: columns == 1 ? 24 : 12)
  }

  /// A table with a group of columns for each contest, and a row for each implementation.
  ///
  /// Implementations that don't take part in a contest have empty cells in its columns.
  private func table(
    _ title: String, _ group: Report.Group, _ columns: [String],
    _ cells: (ContestReport, ContestantReport) -> [String]
  ) -> [String] {
    var table = TextTable(group.contests.map { TextTable.ColumnGroup($0.title, columns: columns) })
    for (category, names) in group.categories {
      if let category { table.addHeading(category.heading) }
      for name in names {
        table.addRow(
          category == nil ? name : "  \(name)",
          group.contests.flatMap { contest in
            contest.contestant(name).map { cells(contest, $0) } ?? columns.map { _ in "" }
          })
      }
    }
    return ["\(debugLabel)\(group.name): \(title)"] + table.lines
  }

  /// The label before the title of every table in a debug build; empty in a release build.
  private var debugLabel: String {
    report.debugLabel.map { "[\($0)] " } ?? ""
  }

  // MARK: After the tables

  private var targetTable: [String] {
    guard !report.targets.isEmpty else { return [] }
    var table = TextTable([TextTable.ColumnGroup("", columns: ["claimed", "measured", "±", "holds"])])
    for outcome in report.targets {
      table.addRow(
        outcome.claim, [outcome.boundText, outcome.figureText, outcome.spreadText, outcome.verdictText])
    }
    return [
      "\(debugLabel)== Targets: what the project claims, and what this run says. The exit status"
        + " depends on it with",
      "   --check only. Within the spread: the bound lies between the quartiles of the rounds, and another",
      "   run may come to another verdict.",
    ] + table.lines
  }

  private var noise: [String] {
    guard let floors = report.noiseFloor.text else { return [] }
    return [
      "Noise floor: two identical contestants differ by \(floors).",
      "Smaller differences between others mean nothing.",
    ]
  }

  /// The lines that give the results of `OptimiserGuard`.
  ///
  /// If instructions could not be counted, another line gives the reason.
  private var loops: [String] {
    var lines: [String] = []
    let growths = report.contests.flatMap(\.contestants).compactMap(\.growth)
    if let least = growths.min(), let most = growths.max() {
      lines += [
        "Loops checked: 4 times the operations took \(Figures.fixed(least, 1)) to \(Figures.fixed(most, 1))"
          + " times as long, in \(growths.count) loops."
      ]
    }
    if measures(.cost), let obstacle = run.obstacleToInstructions {
      lines += ["Instructions for one operation: not available on this system (\(obstacle))."]
    }
    return lines
  }

  private var disturbances: [String] {
    var lines = [
      "Rounds measured again because a thread that should have had a processor did without for a while: "
        + "\(report.redone).",
      "Rounds that stand although that happened: \(report.disturbedRounds) of \(report.rounds).",
    ]
    if report.isDisturbed {
      lines += [
        "That is many: other programs are running. Threads that share a processor do not contend, so"
          + " figures and",
        "ratios of two and more threads are misleading. Measure again on a quiet machine.",
      ]
    }
    return lines
  }
}
