/// Makes the charts of a benchmark report.
///
/// Each `Report.Group` becomes a chart: a line chart if its contests have different values of a numeric
/// `Parameter`, and a bar chart otherwise. Contests that measure throughput with different numbers of threads
/// also share a line chart.
package struct ChartBook {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var charts: [Chart] {
    var charts: [Chart] = []
    for (suite, groups) in report.groups {
      for group in groups {
        charts.append(Self.isSeries(group) ? series(group, of: suite) : rows(group, of: suite))
      }
      charts += sweeps(groups, of: suite)
    }
    return Self.withUniqueNames(charts)
  }

  /// Makes the names of the charts unique: a second chart named "locks" is renamed "locks-2".
  ///
  /// Names can be equal because they contain neither the metric nor the punctuation of a group's name.
  private static func withUniqueNames(_ charts: [Chart]) -> [Chart] {
    var uses: [String: Int] = [:]
    return charts.map { chart in
      uses[chart.name, default: 0] += 1
      guard let count = uses[chart.name], count > 1 else { return chart }
      return Chart(
        name: "\(chart.name)-\(count)", title: chart.title, suite: chart.suite,
        element: chart.element)
    }
  }

  /// Joins the parts into a file name of lower-case ASCII letters, digits and hyphens.
  ///
  /// A hyphen replaces each run of other characters.
  package static func fileName(_ parts: String...) -> String {
    let text = parts.joined(separator: "-").lowercased()
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-")
  }

  private func frame(_ title: String, _ subtitle: String) -> ChartFrame {
    let warnings = [
      report.debugLabel, report.isInterrupted ? "INTERRUPTED: fewer rounds, or contests missing" : nil,
      report.isDisturbed ? "Measured on a busy machine: many rounds were disturbed" : nil,
    ].compactMap { $0 }
    let run = report.run
    return ChartFrame(
      title: title, subtitle: subtitle,
      warning: warnings.isEmpty ? nil : warnings.joined(separator: " · "),
      source: "\(run.machine.processor), \(run.machine.processorCount) processors · \(run.build.compiler) · "
        + "medians of up to \(run.effort.schedule.rounds) rounds; whiskers: half of the rounds")
  }

  // MARK: Rows

  private func rows(_ group: Report.Group, of suite: Suite.Heading) -> Chart {
    let title = suite.name == group.name ? "\(suite.name): \(suite.about)" : "\(suite.name): \(group.name)"
    let reference = group.contests[0].reference
    let element =
      switch group.metric {
      case .waits: waits(group, title)
      case .cost, .throughput, .handOffs, .frames:
        group.contests.allSatisfy { $0.contestant(reference) != nil }
          ? ratios(group, title, to: reference) : figures(group, title)
      case .bytes, .allocations: figures(group, title)
      }
    return Chart(
      name: Self.fileName(suite.name, group.name), title: title, suite: suite.name,
      element: element)
  }

  private func ratios(_ group: Report.Group, _ title: String, to reference: String) -> String {
    let goal =
      group.metric.isLessBetter
      ? "Time as a ratio to \(reference), logarithmic: left is faster"
      : "\(group.metric.quantity.prefix(1).uppercased())\(group.metric.quantity.dropFirst())"
        + " as a ratio to \(reference), logarithmic: right is more"
    let ratios = group.contests.map { contest in
      contest.contestants.compactMap { contestant in
        contest.ratioToReference(contestant).map { (contestant: contestant, ratio: $0) }
      }.filter { $0.ratio.median > 0 }
    }
    // All panels have the same scale, so that bars of the same length stand for the same ratio.
    let scale = Scale.logarithmic(
      covering: [0.9, 1.1]
        + ratios.joined().flatMap { [$0.ratio.median, $0.ratio.lowerQuartile, $0.ratio.upperQuartile] },
      from: RowChart.left, to: RowChart.right)
    let panels = zip(group.contests, ratios).map { contest, ratios in
      let parts = Self.parts(ratios, of: contest, \.contestant) { contestant, ratio in
        RowChart.Row(
          name: contestant.name, text: text(contestant, ratio, contest),
          kind: kind(ratio, of: contestant, in: contest), bar: (1, ratio.median),
          whisker: contestant.name == contest.reference ? nil : (ratio.lowerQuartile, ratio.upperQuartile),
          isDoubtful: Mark(isDisturbed: contest.isRatioDisturbed(contestant), spread: ratio.spread) != nil)
      }
      return RowChart.Panel(
        title: contest.title, scale: scale, tickText: { "\(Self.tick($0))×" }, base: 1, parts: parts)
    }
    let words = group.metric.isLessBetter ? ("faster", "slower") : ("more", "less")
    return RowChart(
      frame: frame(title, goal),
      legend: Legend(
        entries: [
          (.bar("better"), "\(words.0) than \(reference)"), (.bar("worse"), words.1),
          (.bar("same"), "the same within the noise"),
        ] + Self.marks(.same)
          + [(.none, "×: median of the rounds' ratios, not the quotient of the medians")]),
      panels: panels
    ).element
  }

  /// The legend entries that explain pale bars (unreliable figures) and whiskers (error bars).
  ///
  /// - Parameter kind: The kind that determines the colour of the pale bar in the legend.
  private static func marks(_ kind: RowChart.Row.Kind) -> [(mark: Legend.Mark, text: String)] {
    [
      (
        .bar("\(kind.rawValue) doubtful"),
        "pale: marked \(Mark.wide.rawValue) or \(Mark.disturbed.rawValue), see the tables"
      ), (.whisker, "half of the rounds"),
    ]
  }

  /// Makes the parts of a panel: one for each `Category`, with a row for each contestant that has figures.
  ///
  /// - Parameters:
  ///   - figures: The figures, one element for each row.
  ///   - contest: The contest that the panel shows.
  ///   - contestant: Returns the contestant that an element of `figures` belongs to.
  ///   - row: Makes the row for an element of `figures`.
  private static func parts<Figure>(
    _ figures: [Figure], of contest: ContestReport, _ contestant: (Figure) -> ContestantReport,
    _ row: (Figure) -> RowChart.Row
  ) -> [(heading: String?, rows: [RowChart.Row])] {
    Report.Group(name: "", metric: contest.metric, contests: [contest]).categories.map { category, names in
      let members = figures.filter { names.contains(contestant($0).name) }
      return (members.isEmpty ? nil : category?.heading, members.map(row))
    }
  }

  private func kind(
    _ ratio: Summary, of contestant: ContestantReport, in contest: ContestReport
  ) -> RowChart.Row.Kind {
    let floor = max(Comparison.leastChange, report.noiseFloor.floor(of: contest) ?? 0)
    let noise = max(floor, Distance.percent(betweenQuartilesOf: ratio))
    guard contestant.name != contest.reference, Distance.percent(ofRatio: ratio.median) > noise else {
      return .same
    }
    return (ratio.median < 1) == contest.metric.isLessBetter ? .better : .worse
  }

  private func text(_ contestant: ContestantReport, _ ratio: Summary, _ contest: ContestReport) -> String {
    let figure = contestant.summary.map { "\(contest.metric.text($0.median)) \(contest.metric.unit)" } ?? ""
    guard contestant.name != contest.reference else { return figure }
    return "\(figure) · \(Figures.significant(ratio.median))× \(Figures.percent(ratio.spread))"
  }

  /// Draws a bar chart of absolute figures, and not of ratios to `Contest.reference`.
  ///
  /// The chart is for counts of bytes and allocations, and for groups in which a contest lacks the reference.
  private func figures(_ group: Report.Group, _ title: String) -> String {
    let panels = group.contests.map { contest in
      let summaries = contest.contestants.compactMap { contestant in
        contestant.summary.map { (contestant: contestant, summary: $0) }
      }
      return RowChart.Panel(
        title: contest.title,
        scale: .linear(
          covering: summaries.map(\.summary.upperQuartile), from: RowChart.left, to: RowChart.right),
        tickText: Self.tick, base: 0,
        parts: Self.parts(summaries, of: contest, \.contestant) { contestant, summary in
          RowChart.Row(
            name: contestant.name, text: "\(contest.metric.text(summary.median)) \(contest.metric.unit)",
            kind: .plain, bar: (0, summary.median),
            whisker: summary.halfWidth > 0 ? (summary.lowerQuartile, summary.upperQuartile) : nil,
            isDoubtful: contestant.mark != nil)
        })
    }
    let direction = group.metric.isLessBetter ? "less is better" : "more is better"
    let quantity = group.metric.quantity
    // Each panel has its own linear scale. A common scale would make the bars of a panel with small figures
    // invisible.
    let scales = panels.count > 1 ? "; each panel has a scale of its own" : ""
    return RowChart(
      frame: frame(
        title, "\(quantity.prefix(1).uppercased())\(quantity.dropFirst()); \(direction)\(scales)"),
      legend: Legend(entries: Self.marks(.plain)), panels: panels
    ).element
  }

  private func waits(_ group: Report.Group, _ title: String) -> String {
    let scale = Scale.logarithmic(
      covering: group.contests.flatMap(\.contestants).flatMap(\.waits).map(Double.init),
      from: RowChart.left, to: RowChart.right)
    let panels = group.contests.map { contest in
      let contestants = contest.contestants.filter { $0.waits.count == 3 }
      return RowChart.Panel(
        title: contest.title, scale: scale,
        tickText: Self.durationTick, base: nil,
        parts: Self.parts(contestants, of: contest, \.self) { contestant in
          let waits = contestant.waits
          return RowChart.Row(
            name: contestant.name, text: waits.map(Figures.duration).joined(separator: " · "), kind: .plain,
            bar: (Double(waits[0]), Double(waits[1])), whisker: nil, dot: Double(waits[2]),
            isDoubtful: contestant.isDisturbed)
        })
    }
    return RowChart(
      frame: frame(
        title, "How long one operation waits, logarithmic: median, 99 % and longest; left is better"),
      legend: Legend(entries: [
        (.bar("plain"), "from the median to 99 % of the waits"), (.dot, "the longest"),
      ]), panels: panels
    ).element
  }

  // MARK: Lines

  /// Whether a line chart can show the group: each contest has a `Parameter`, and not all values are equal.
  private static func isSeries(_ group: Report.Group) -> Bool {
    let parameters = group.contests.compactMap(\.parameter)
    return parameters.count == group.contests.count && Set(parameters.map(\.value)).count > 1
  }

  private func series(_ group: Report.Group, of suite: Suite.Heading) -> Chart {
    let axis = group.contests.first?.parameter?.name ?? ""
    return lines(
      "\(suite.name): \(group.name)", Self.fileName(suite.name, group.name), suite: suite.name,
      metric: group.metric, axis: axis,
      group.contests.compactMap { contest in contest.parameter.map { ($0.value, contest) } })
  }

  /// Makes line charts of throughput against the number of threads.
  ///
  /// Contests with the same title and different numbers of threads become one chart.
  private func sweeps(_ groups: [Report.Group], of suite: Suite.Heading) -> [Chart] {
    let contests = groups.filter { $0.metric == .throughput }.flatMap(\.contests)
    var titles: [String] = []
    for contest in contests where !titles.contains(contest.title) {
      titles.append(contest.title)
    }
    return titles.compactMap { title in
      var points: [(Double, ContestReport)] = []
      for contest in contests
      where contest.title == title && !points.contains(where: { $0.0 == Double(contest.threads) }) {
        points.append((Double(contest.threads), contest))
      }
      guard points.count > 1 else { return nil }
      return lines(
        "\(suite.name): \(title), with more and more threads", Self.fileName(suite.name, "threads", title),
        suite: suite.name, metric: .throughput, axis: "threads", points)
    }
  }

  private func lines(
    _ title: String, _ name: String, suite: String, metric: Metric, axis: String,
    _ contests: [(x: Double, contest: ContestReport)]
  ) -> Chart {
    let contests = contests.sorted { $0.x < $1.x }
    let group = Report.Group(name: title, metric: metric, contests: contests.map(\.contest))
    var titles: [String: String] = [:]
    // The names of the lines contain the category only if the lines have different categories.
    for (category, names) in group.categories where group.categories.count > 1 {
      for name in names { titles[name] = category?.title }
    }
    let lines = group.names.map { name in
      LineChart.Line(
        name: titles[name].map { "\(name) (\($0))" } ?? name,
        points: contests.compactMap { x, contest in
          contest.contestant(name).flatMap { contestant in
            contestant.summary.map {
              LineChart.Point(x: x, summary: $0, isDoubtful: contestant.mark != nil)
            }
          }
        })
    }.filter { !$0.points.isEmpty }
    let quantity = "\(metric.quantity.prefix(1).uppercased())\(metric.quantity.dropFirst())"
    let direction = metric.isLessBetter ? "lower is better" : "higher is better"
    let element = LineChart(
      frame: frame(title, "\(quantity) against \(axis), both logarithmic; \(direction)"),
      horizontalTitle: axis, verticalTitle: metric.unit, tickText: Self.tick, cap: metric.cap, lines: lines
    ).element
    return Chart(name: name, title: title, suite: suite, element: element)
  }

  /// Formats a duration for a tick of an axis, with as few digits as possible.
  private static func durationTick(_ nanoseconds: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (size, unit) = units.first { nanoseconds >= $0.0 * 0.999 } ?? (1, "ns")
    return "\(tick(nanoseconds / size)) \(unit)"
  }

  /// Formats a figure for a tick of an axis, with as few digits as possible.
  private static func tick(_ value: Double) -> String {
    for decimals in 0...9 {
      let text = Figures.fixed(value, decimals)
      if let shown = Double(text), abs(shown - value) <= abs(value) * 1e-6 { return text }
    }
    return Figures.significant(value)
  }
}
