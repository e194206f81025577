/// A finished chart of a benchmark report.
package struct Chart: Sendable, Equatable {
  /// The name of the chart's file, without ".svg".
  package let name: String
  package let title: String
  /// The name of the benchmark suite that the chart shows.
  package let suite: String
  /// The chart as an SVG element, without the style sheet that it needs (see `ChartStyle`).
  package let element: String

  /// The chart as an SVG document that includes its style sheet.
  package var document: String {
    guard let end = element.firstIndex(of: ">") else { return element }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element[...end]
      + Markup.element("style", text: ChartStyle.sheet) + element[element.index(after: end)...] + "\n"
  }
}
