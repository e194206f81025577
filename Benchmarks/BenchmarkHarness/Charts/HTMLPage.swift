/// A web page with all charts and tables of a report, and explanations.
///
/// The page loads no other file.
package struct HTMLPage {
  private let report: Report
  private let charts: [Chart]

  package init(_ report: Report, charts: [Chart]) {
    self.report = report
    self.charts = charts
  }

  package var text: String {
    let isCheck = { (suite: Suite.Heading) in suite.name == NoiseFloor.suite }
    let groups = report.groups.filter { !isCheck($0.suite) } + report.groups.filter { isCheck($0.suite) }
    let body =
      [header, verdict, howToRead, contents(groups.map(\.suite))]
      + groups.map { section($0.suite, $0.groups) } + [contention, quality]
    return "<!DOCTYPE html>\n"
      + Markup.element(
        "html", ["lang": "en"],
        content: "\n"
          + Markup.element(
            "head",
            content: "\n<meta charset=\"utf-8\"/>\n"
              + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
              + Markup.element("title", text: title) + "\n"
              // In HTML, the text of a style element is not escaped, so the style sheets are inserted
              // unchanged.
              + "<style>\n\(Self.sheet)\n\(ChartStyle.sheet)\n</style>\n")
          + "\n" + Markup.element("body", content: "\n" + body.joined(separator: "\n") + "\n") + "\n") + "\n"
  }

  private var title: String { "Interlock: benchmarks" }

  private static let sheet = """
    :root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --soft: #59636e; --rule: #d8dee4;
      --alarm: #b3261e; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #0d1117; --text: #e6edf3; --soft: #9aa4af; --rule: #2d343c; --alarm: #ff8a80; } }
    body { background: var(--page); color: var(--text); max-width: 900px; margin: 2rem auto; padding: 0 1rem;
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    h2 { margin-top: 3rem; border-bottom: 1px solid var(--rule); }
    a { color: inherit; }
    .soft { color: var(--soft); }
    .alarm { color: var(--alarm); font-weight: 600; }
    figure { margin: 1.5rem 0; overflow-x: auto; }
    figure svg { display: block; border: 1px solid var(--rule); border-radius: 6px; }
    .table { overflow-x: auto; }
    table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
    th, td { padding: 2px 10px; text-align: right; white-space: nowrap; \
    border-bottom: 1px solid var(--rule); }
    th:first-child { text-align: left; }
    tbody th { font-weight: normal; }
    tbody th[scope=rowgroup] { font-weight: 600; padding-top: 10px; white-space: normal; }
    pre { font-size: 12px; overflow-x: auto; }
    details { margin: 0.5rem 0 1.5rem; }
    """

  private func paragraph(_ text: String, class name: String = "") -> String {
    Markup.element("p", ["class": name], text: text)
  }

  private var header: String {
    let run = report.run
    var parts = [Markup.element("h1", text: title)]
    for warning in [
      report.debugLabel,
      report.isInterrupted ? "Interrupted: some contests are missing or have fewer rounds." : nil,
      report.isDisturbed
        ? "Measured on a busy machine: figures of two and more threads are misleading." : nil,
    ] {
      if let warning { parts.append(paragraph(warning, class: "alarm")) }
    }
    parts.append(
      paragraph(
        "\(run.machine.processor), \(run.machine.processorCount) processors, \(run.machine.architecture);"
          + " \(run.machine.system). \(run.build.compiler), \(run.build.configuration) build,"
          + " \(run.effort.rawValue) run.", class: "soft"))
    return parts.joined(separator: "\n")
  }

  private var howToRead: String {
    let wide = Figures.fixed(Mark.widestSpread, 0)
    var texts = [
      "Every figure is the median of up to \(report.run.effort.schedule.rounds) rounds; in a round"
        + " everything is"
        + " measured once, in an order drawn anew. Compare by the ratios: other machines have other"
        + " figures and"
        + " similar ratios. A ratio (×) is the median of the rounds' ratios, not the quotient of the two"
        + " medians beside it. Behind ± is half the distance between the quartiles, in percent; whiskers"
        + " in charts reach"
        + " from quartile to quartile.",
      "\(Mark.disturbed.rawValue) stands beside figures of which most rounds were disturbed by other"
        + " programs, and"
        + " \(Mark.wide.rawValue) beside figures whose rounds lie more than \(wide) % apart; their bars"
        + " are pale.",
    ]
    if let floors = report.noiseFloor.text {
      texts.append(
        "The noise floor: two identical contestants differ by \(floors)."
          + " Smaller differences mean nothing.")
    }
    return Markup.element("h2", text: "How to read this page") + "\n"
      + texts.map { paragraph($0) }.joined(separator: "\n")
  }

  private func contents(_ suites: [Suite.Heading]) -> String {
    Markup.element(
      "ul",
      content: suites.map { suite in
        Markup.element(
          "li",
          content: Markup.element("a", ["href": "#\(ChartBook.fileName(suite.name))"], text: suite.name)
            + ": "
            + Markup.escaped(suite.about))
      }.joined(separator: "\n"))
  }

  private func section(_ suite: Suite.Heading, _ groups: [Report.Group]) -> String {
    var parts = [
      Markup.element("h2", ["id": ChartBook.fileName(suite.name)], text: suite.name),
      paragraph("\(suite.about.prefix(1).uppercased())\(suite.about.dropFirst())."),
    ]
    if !suite.reading.isEmpty {
      parts.append(paragraph(suite.reading))
    }
    parts += charts.filter { $0.suite == suite.name }.map { Markup.element("figure", content: $0.element) }
    parts += groups.map { group in
      Markup.element(
        "details",
        content: Markup.element("summary", text: "\(group.name), as a table (\(group.metric.quantity))")
          + Markup.element("div", ["class": "table"], content: table(group)))
    }
    return parts.joined(separator: "\n")
  }

  private func table(_ group: Report.Group) -> String {
    let heads = ["contestant"] + group.contests.map { "\($0.title), \($0.metric.unit)" }
    let parts = group.categories.map { category, names in
      (
        category?.heading,
        names.map { name in
          [name] + group.contests.map { contest in contest.contestant(name).map { cell($0, contest) } ?? "" }
        }
      )
    }
    return table(heads, parts)
  }

  /// Makes an HTML table from groups of rows, each group with an optional heading.
  ///
  /// The first cell of each row is the name of the row.
  private func table(_ heads: [String], _ parts: [(heading: String?, rows: [[String]])]) -> String {
    func row(_ cells: [String]) -> String { Markup.element("tr", content: cells.joined()) }
    let body = parts.map { heading, rows in
      let head = heading.map {
        row([Markup.element("th", ["scope": "rowgroup", "colspan": "\(heads.count)"], text: $0)])
      }
      let rows = rows.map { cells in
        row(
          cells.prefix(1).map { Markup.element("th", ["scope": "row"], text: $0) }
            + cells.dropFirst().map { Markup.element("td", text: $0) })
      }
      return Markup.element("tbody", content: ([head].compactMap(\.self) + rows).joined(separator: "\n"))
    }
    return Markup.element(
      "table",
      content: Markup.element(
        "thead", content: row(heads.map { Markup.element("th", ["scope": "col"], text: $0) })) + "\n"
        + body.joined(separator: "\n"))
  }

  private func cell(_ contestant: ContestantReport, _ contest: ContestReport) -> String {
    if contest.metric == .waits {
      return contestant.waits.map(Figures.duration).joined(separator: " · ")
    }
    guard let summary = contestant.summary else { return "–" }
    var text = contest.metric.text(summary.median) + (contestant.mark?.rawValue ?? "")
    if !contest.metric.isCounted, let ratio = contest.ratioToReference(contestant) {
      text += " (\(Figures.significant(ratio.median))× \(Figures.percent(ratio.spread)))"
    }
    if let wait = contestant.waitRound {
      text += ", longest wait \(wait.isCut ? "≥ " : "")\(Figures.duration(nanoseconds: wait.longestWait))"
    }
    if contest.threads > 1, let fairness = contestant.fairnessInAll {
      text += ", fair \(Figures.fixed(fairness, 2))"
    }
    return text
  }

  private var contention: String {
    guard let profile = report.contention else { return "" }
    return Markup.element("h2", text: "Contention") + "\n" + paragraph(Report.aboutContention) + "\n"
      + Markup.element("pre", text: profile)
  }

  /// The section of the page that says which of the project's performance claims held in this run.
  private var verdict: String {
    let check = TargetCheck(report)
    let isMeasured = !report.targets.isEmpty
    var parts = [
      Markup.element("h2", text: "Verdict"),
      paragraph(isMeasured ? check.summary : "This run measured none of the project's targets."),
    ]
    if isMeasured {
      let failed = report.targets.filter { $0.verdict == .fails }
      if !failed.isEmpty { parts += [paragraph("These do not hold:"), table(of: failed)] }
      parts.append(
        Markup.element(
          "details",
          content: Markup.element("summary", text: "All targets: what the project claims") + "\n"
            + paragraph(
              "Within the spread: the bound lies between the quartiles of the rounds, and another run may"
                + " come to another verdict.") + "\n" + table(of: report.targets)))
    }
    return parts.joined(separator: "\n")
  }

  private func table(of targets: [TargetOutcome]) -> String {
    let rows = targets.map { [$0.claim, $0.boundText, $0.figureText, $0.spreadText, $0.verdictText] }
    return Markup.element(
      "div", ["class": "table"],
      content: table(["claim", "claimed", "measured", "±", "holds"], [(nil, rows)]))
  }

  private var quality: String {
    var texts = [
      "Rounds measured again because a thread that should have had a processor did without for a while:"
        + " \(report.redone). Rounds that stand although that happened: \(report.disturbedRounds) of"
        + " \(report.rounds)."
    ]
    if let obstacle = report.run.obstacleToInstructions {
      texts.append("Instructions for one operation: not available on this system (\(obstacle)).")
    }
    texts += report.complaints
    return Markup.element("h2", text: "The run") + "\n" + texts.map { paragraph($0) }.joined(separator: "\n")
  }
}
