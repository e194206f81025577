internal import BenchmarkHarness
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
    for chart in ChartBook(.variety(isDebug: true)).charts {
      let parsed = try ParsedMarkup(chart.document)
      let width = try #require(parsed.elements[0].attributes["width"].flatMap(Double.init))
      let height = try #require(parsed.elements[0].attributes["height"].flatMap(Double.init))
      let texts = parsed.named("text")
      let areas = try texts.map { try #require($0.area) }
      #expect(
        areas.allSatisfy { $0.y.lowerBound >= 0 && $0.y.upperBound <= height && $0.x.upperBound <= width })
      for first in areas.indices {
        for second in areas.indices.dropFirst(first + 1) {
          let overlap =
            areas[first].x.overlaps(areas[second].x) && areas[first].y.overlaps(areas[second].y)
          #expect(!overlap, "\(chart.name): '\(texts[first].text)' and '\(texts[second].text)'")
        }
      }
    }
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
      // Those of the rows are 12 high.
      return try ParsedMarkup(chart.document).named("rect").filter { $0.attributes["height"] == "12" }
        .compactMap { $0.attributes["class"] }
    }
    #expect(try bars(.cost) == ["same", "better", "worse", "same"])
    #expect(try bars(.throughput) == ["same", "worse", "better", "same"])
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
