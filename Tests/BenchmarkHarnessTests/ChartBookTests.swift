@testable import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("Chart book")
struct ChartBookTests {
  @Test("Every group has a chart, and so has every sweep over threads or a number; names are files' names")
  func charts() {
    let names = ChartBook(.variety()).charts.map(\.name)
    #expect(
      names == [
        "one-alone", "one-2-threads", "one-16-threads", "one-threads-50", "two-a-writer", "two-hand",
        "two-bytes", "two-bytes-2", "two-frames", "self-check-1-thread",
      ])
    #expect(ChartBook.fileName("a b/c", "99.9 %", "µ") == "a-b-c-99-9")
  }

  @Test("Charts are well-formed, have a title, and what is written in them is what it was")
  func wellFormed() throws {
    for chart in ChartBook(.variety()).charts {
      let parsed = try ParsedMarkup(chart.document)
      #expect(parsed.elements[0].name == "svg")
      #expect(parsed.elements[0].attributes["xmlns"] == "http://www.w3.org/2000/svg")
      let texts = parsed.named("text").map(\.text)
      #expect(texts.first == chart.title)
      #expect(texts.contains("ref <&>"))
      #expect(texts.contains { $0.contains("<A> & \"B\"") })
      #expect(texts.contains { $0.contains("INTERRUPTED") })
      #expect(parsed.named("style").count == 1)
    }
  }

  @Test("No text lies on another, and none leaves the picture")
  func overlaps() throws {
    for chart in ChartBook(.variety(isDebug: true)).charts + (try kept()) {
      let parsed = try ParsedMarkup(chart.document)
      let width = try #require(parsed.elements[0].attributes["width"].flatMap(Double.init))
      let height = try #require(parsed.elements[0].attributes["height"].flatMap(Double.init))
      let texts = parsed.named("text")
      let areas = try texts.map { try #require($0.area) }
      #expect(
        areas.allSatisfy { $0.y.lowerBound >= 0 && $0.y.upperBound <= height && $0.x.upperBound <= width },
        "\(chart.name)")
      #expect(areas.allSatisfy { $0.x.lowerBound >= 0 }, "\(chart.name)")
      for first in areas.indices {
        for second in areas.indices.dropFirst(first + 1) {
          let overlap =
            areas[first].x.overlaps(areas[second].x) && areas[first].y.overlaps(areas[second].y)
          #expect(!overlap, "\(chart.name): '\(texts[first].text)' and '\(texts[second].text)'")
        }
      }
    }
  }

  /// The charts of the measured report in `Benchmarks/Results`.
  private func kept() throws -> [Chart] {
    let results = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/Results/epyc-2cpu.json")
    return ChartBook(try Report(file: results.path)).charts
  }

  @Test("Nothing is drawn at a place that is no number")
  func numbers() throws {
    for chart in ChartBook(.variety()).charts {
      for element in try ParsedMarkup(chart.document).elements {
        for name in ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"] {
          if let value = element.attributes[name] {
            #expect(Double(value)?.isFinite == true)
          }
        }
      }
    }
  }

  @Test("Better, worse and the same have their colours, by the direction of the metric")
  func kinds() throws {
    func bars(_ metric: Metric) throws -> [String] {
      let report = Report.sample(
        ["ref": [10, 10], "less": [5, 5], "more": [20, 20], "same": [10.1, 10.1]], metric: metric)
      let chart = try #require(ChartBook(report).charts.first)
      // Only the bars, one for each measured implementation, are rectangles with a height of 12 pixels.
      return try ParsedMarkup(chart.document).named("rect").filter { $0.attributes["height"] == "12" }
        .compactMap { $0.attributes["class"] }
    }
    #expect(try bars(.cost) == ["same", "better", "worse", "same"])
    #expect(try bars(.throughput) == ["same", "worse", "better", "same"])
  }

  @Test("The panels of a chart have one scale, or say that they don't")
  func scales() throws {
    func chart(_ metric: Metric, _ figures: [Double]) throws -> ParsedMarkup {
      let contests = figures.enumerated().map { number, figure in
        ContestReport(
          suite: "s", group: "g", title: "\(number)", metric: metric, threads: 1, reference: "ref",
          contestants: [
            ContestantReport(name: "ref", rounds: [10], waits: [10, 20, 30]),
            ContestantReport(name: "a", rounds: [figure], waits: [10, Int(figure), 1_000]),
          ])
      }
      let suites = [Suite.Heading(name: "s", about: "", reading: "")]
      let report = Report(run: .sample(), suites: suites, contests: contests)
      return try ParsedMarkup(try #require(ChartBook(report).charts.first).document)
    }
    // The widths of the bars of "a". Each panel has two bars: one for "ref", and then one for "a".
    func widths(_ chart: ParsedMarkup) throws -> [Double] {
      let bars = chart.named("rect").filter { $0.attributes["height"] == "12" }
      return try bars.indices.filter { $0 % 2 == 1 }.map {
        try #require(bars[$0].attributes["width"].flatMap(Double.init))
      }
    }
    for metric in [Metric.cost, .waits] {
      let widths = try widths(chart(metric, [50, 500]))
      #expect(widths.count == 2)
      #expect(widths[1] > widths[0] * 2)
    }
    let note = "each panel has a scale of its own"
    #expect(try chart(.bytes, [50, 500]).named("text").contains { $0.text.contains(note) })
    #expect(try !chart(.bytes, [50]).named("text").contains { $0.text.contains(note) })
    #expect(try !chart(.cost, [50, 500]).named("text").contains { $0.text.contains(note) })
  }

  @Test("A small figure is not shown as 0")
  func smallFigures() throws {
    let report = Report.sample(["ref": [0.00046, 0.00046], "a": [0.25, 0.25]], metric: .throughput)
    let texts = try ParsedMarkup(try #require(ChartBook(report).charts.first).document).named("text").map(
      \.text)
    #expect(texts.contains("0.00046 Mops/s"))
    #expect(!texts.contains { $0.contains("0.000 ") })
  }

  @Test("Charts of ratios say that these are medians, and not the quotients of what stands beside them")
  func ratioNote() throws {
    // The chart must show 5, the median of the rounds' ratios. The quotient of the medians would be 3.
    let report = Report.sample(["ref": [1, 2, 10], "a": [5, 20, 6]])
    let texts = try ParsedMarkup(try #require(ChartBook(report).charts.first).document).named("text").map(
      \.text)
    #expect(texts.contains { $0.hasPrefix("6.00 ns · 5.00×") })
    #expect(texts.contains("×: median of the rounds' ratios, not the quotient of the medians"))
  }

  @Test("Rows have the headings of their categories, and lines their titles")
  func categories() throws {
    for chart in ChartBook(.variety()).charts {
      let texts = try ParsedMarkup(chart.document).named("text").map(\.text)
      #expect(
        texts.contains("kind 1: what <1> means") || texts.contains("contestant with a long name 4 (kind 1)"),
        "\(chart.name)")
    }
  }

  @Test("The greatest figure that there can be is drawn as a line with its name")
  func cap() throws {
    for chart in ChartBook(.variety()).charts {
      let parsed = try ParsedMarkup(chart.document)
      let lines = parsed.named("line").filter { $0.attributes["class"] == "cap" }
      let names = parsed.named("text").filter { $0.text.hasPrefix("120 fps: ") }
      #expect(lines.count == (chart.name == "two-frames" ? 1 : 0))
      #expect(names.count == lines.count)
    }
    // A figure of 120 frames per second equals the limit, so its point must lie on the line of the limit.
    let contests = [1_000.0, 10_000].map { count in
      ContestReport(
        suite: "s", group: "g", title: "\(count)", metric: .frames, threads: 1, reference: "a",
        parameter: Parameter("reads", count),
        contestants: [ContestantReport(name: "a", rounds: [count == 1_000 ? 120 : 10])])
    }
    let report = Report(
      run: .sample(), suites: [Suite.Heading(name: "s", about: "", reading: "")], contests: contests)
    let parsed = try ParsedMarkup(try #require(ChartBook(report).charts.first).document)
    let cap = try #require(parsed.named("line").first { $0.attributes["class"] == "cap" }?.attributes["y1"])
    #expect(parsed.named("circle").contains { $0.attributes["cy"] == cap && $0.attributes["class"] == "f0" })
  }

  @Test("The legend and the names use the marks of the plot, and leaders have no line's colour")
  func marks() throws {
    let charts = ChartBook(.variety()).charts
    let waits = try ParsedMarkup(try #require(charts.first { $0.name == "two-a-writer" }).document)
    // There is one dot for each of the 14 measured implementations (`Contestant`), and one in the legend.
    #expect(waits.named("circle").count { $0.attributes["class"] == "dot" } == 15)
    #expect(!waits.named("rect").contains { $0.attributes["class"] == "dot" })
    let chart = try #require(charts.first { $0.name == "two-frames" })
    let frames = try ParsedMarkup(chart.document)
    // The lines 0 and 8 have the same colour, `f0`. Each has three points and a mark beside its name, so
    // there are eight circles.
    #expect(frames.named("circle").count { $0.attributes["class"]?.hasPrefix("f0") == true } == 8)
    let leaders = frames.named("line").filter { $0.attributes["class"]?.contains("leader") == true }
    #expect(leaders.count == 14)
    #expect(leaders.allSatisfy { $0.attributes["class"] == "leader" })
    #expect(chart.document.contains(".leader { fill: none; stroke: #59636e; stroke: var(--faint);"))
    for (kind, name) in [("figures", "two-bytes"), ("ratios", "one-alone")] {
      let parsed = try ParsedMarkup(try #require(charts.first { $0.name == name }).document)
      #expect(parsed.named("text").contains { $0.text == "half of the rounds" }, "\(kind)")
      #expect(parsed.named("text").contains { $0.text.hasPrefix("pale: ") }, "\(kind)")
    }
  }

  @Test("Marked figures are pale")
  func doubtful() throws {
    let chart = try #require(ChartBook(.sample(["ref": [10, 10, 10], "a": [10, 30, 90]])).charts.first)
    #expect(chart.element.contains("class=\"worse doubtful\""))
  }

  @Test("A debug build and a busy machine are written over the charts")
  func warnings() throws {
    let debug = ChartBook(.sample(["ref": [1]], run: .sample(isDebug: true))).charts
    #expect(try #require(debug.first).element.contains("DEBUG BUILD, not a measurement"))
    let busy = ChartBook(.sample(["ref": [1]], isDisturbed: true)).charts
    #expect(try #require(busy.first).element.contains("busy machine"))
    #expect(
      try !#require(ChartBook(.sample(["ref": [1]])).charts.first).element.contains("class=\"warning\""))
  }
}
