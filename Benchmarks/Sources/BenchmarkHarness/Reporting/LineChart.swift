internal import Foundation

/// A line chart with two logarithmic axes, one line for each contestant.
///
/// The names of the lines stand right of the plot, in the order of their last points.
struct LineChart {
  let title: String
  private let axis: String
  private let metric: Metric
  private let lines: [Line]

  private struct Line {
    let name: String
    let points: [(x: Double, summary: Summary)]
  }

  /// Makes a chart of the contestants of several contests.
  ///
  /// - Parameters:
  ///   - axis: The title of the horizontal axis.
  ///   - contests: The contests, which have the same metric, and their places on that axis.
  init(title: String, axis: String, _ contests: [(x: Double, contest: ContestReport)]) {
    self.title = title
    self.axis = axis
    metric = contests[0].contest.metric
    var names: [String] = []
    for name in contests.flatMap({ $0.contest.contestants.map(\.name) }) where !names.contains(name) {
      names.append(name)
    }
    lines = names.map { name in
      Line(
        name: name,
        points: contests.compactMap { x, contest in
          contest.contestant(name)?.summary.map { (x, $0) }
        }.sorted { $0.x < $1.x })
    }.filter { !$0.points.isEmpty }
  }

  /// The name of the chart's file, without ".svg": lower-case ASCII letters, digits and hyphens.
  var fileName: String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-")
  }

  /// The chart as an SVG document with its style sheet.
  var document: String {
    let style = Markup.element("style", text: Self.sheet)
    return element.replacing("><title>", with: ">\(style)<title>", maxReplacements: 1) + "\n"
  }

  /// The colors are based on the palette of Okabe and Ito, so that color-blind people can distinguish them.
  private static let colors = [
    "#0069a8", "#d05a00", "#00805c", "#b5508f", "#8a6d00", "#3a9bd9", "#6a4fb3", "#767676",
  ]

  /// The style sheet of all charts; each paints its background, so that it also suits a dark page.
  static let sheet = """
    .chart text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1b1f24; }
    .chart .title { font-size: 16px; font-weight: 600; }
    .chart .ground { fill: #ffffff; }
    .chart path { fill: none; stroke-width: 2; }
    .chart .grid { stroke: #d8dee4; stroke-width: 1; }
    .chart .dashed { stroke-dasharray: 5 3; }

    """
    + colors.enumerated().map { ".chart .c\($0) { stroke: \($1); } .chart .f\($0) { fill: \($1); }" }
    .joined(separator: "\n")

  /// The plot, in pixels; the names of the lines are right of it.
  private static let (left, right, top, plotHeight) = (66.0, 600.0, 66.0, 400.0)
  private static let (width, lineHeight) = (860.0, 15.0)

  /// The chart as an SVG element.
  var element: String {
    let bottom = Self.top + max(Self.plotHeight, Double(lines.count) * Self.lineHeight)
    let points = lines.flatMap(\.points)
    let horizontal = Scale(points.map(\.x), room: 1.06, from: Self.left, to: Self.right)
    let vertical = Scale(
      points.flatMap { [$0.summary.lowerQuartile, $0.summary.upperQuartile, $0.summary.median] }, room: 1.15,
      from: bottom, to: Self.top)
    let direction = metric.isLessBetter ? "lower is better" : "higher is better"
    let subtitle =
      "\(metric.unit) against \(axis), both logarithmic, with the quartiles of the rounds; \(direction)"
    let parts =
      [
        Markup.element("title", text: title),
        "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
        Self.text(title, 16, 26, class: "title"), Self.text(subtitle, 16, 46),
        Self.text(axis, (Self.left + Self.right) / 2, bottom + 38, anchor: "middle"),
      ] + grid(horizontal, vertical, bottom)
      + lines.enumerated().flatMap { drawn($1, number: $0, horizontal, vertical) } + names(vertical)
    let size = (Self.number(Self.width), Self.number(bottom + 50))
    return Markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "chart", "width": size.0, "height": size.1,
        "viewBox": "0 0 \(size.0) \(size.1)",
      ], content: parts.joined(separator: "\n"))
  }

  /// The horizontal axis has its labels at the measured points and not at round numbers, because there are
  /// only a few points.
  private func grid(_ horizontal: Scale, _ vertical: Scale, _ bottom: Double) -> [String] {
    Set(lines.flatMap(\.points).map(\.x)).sorted().flatMap { x in
      let place = horizontal.place(x)
      return [
        Self.line(place, Self.top, place, bottom, class: "grid"),
        Self.text(String(format: "%g", x), place, bottom + 18, anchor: "middle"),
      ]
    }
      + vertical.ticks.flatMap { tick in
        let place = vertical.place(tick)
        return [
          Self.line(Self.left, place, Self.right, place, class: "grid"),
          Self.text(String(format: "%g", tick), Self.left - 8, place + 4, anchor: "end"),
        ]
      }
  }

  private func style(_ number: Int) -> String {
    "c\(number % Self.colors.count)\(number < Self.colors.count ? "" : " dashed")"
  }

  private func drawn(_ line: Line, number: Int, _ horizontal: Scale, _ vertical: Scale) -> [String] {
    let places = line.points.map { (horizontal.place($0.x), vertical.place($0.summary.median)) }
    let path = places.map { "\(Self.number($0)) \(Self.number($1))" }.joined(separator: "L")
    return ["<path d=\"M\(path)\" class=\"\(style(number))\"/>"]
      + zip(line.points, places).flatMap { point, place in
        [
          Self.line(
            place.0, vertical.place(point.summary.lowerQuartile), place.0,
            vertical.place(point.summary.upperQuartile), class: style(number)),
          Self.circle(place.0, place.1, number),
        ]
      }
  }

  private func names(_ vertical: Scale) -> [String] {
    let order = lines.indices.sorted {
      vertical.place(lines[$0].points.last!.summary.median)
        < vertical.place(lines[$1].points.last!.summary.median)
    }
    return order.enumerated().flatMap { rank, index in
      let y = Self.top + 8 + Double(rank) * Self.lineHeight
      return [
        Self.line(Self.right + 14, y, Self.right + 34, y, class: style(index)),
        Self.circle(Self.right + 24, y, index), Self.text(lines[index].name, Self.right + 40, y + 4),
      ]
    }
  }

  // MARK: Shapes

  private static func number(_ value: Double) -> String { Figures.fixed(value, 1) }

  private static func text(
    _ text: String, _ x: Double, _ y: Double, class name: String = "", anchor: String = "start"
  ) -> String {
    let attributes = "x=\"\(number(x))\" y=\"\(number(y))\" class=\"\(name)\" text-anchor=\"\(anchor)\""
    return "<text \(attributes)>\(Markup.escaped(text))</text>"
  }

  private static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String
  ) -> String {
    "<path d=\"M\(number(x1)) \(number(y1))L\(number(x2)) \(number(y2))\" class=\"\(name)\"/>"
  }

  private static func circle(_ x: Double, _ y: Double, _ number: Int) -> String {
    "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3\" class=\"f\(number % colors.count)\"/>"
  }
}

/// Maps figures to positions along a logarithmic axis.
struct Scale {
  /// The figures at the two ends of the axis.
  let domain: ClosedRange<Double>
  private let start: Double
  private let end: Double

  /// Makes a scale that covers all positive figures, and extends beyond them by the factor `room`; without a
  /// positive figure, from 0.5 to 2.
  ///
  /// `end` is less than `start` on an axis that points upwards.
  init(_ values: [Double], room: Double, from start: Double, to end: Double) {
    let positive = values.filter { $0.isFinite && $0 > 0 }
    domain = positive.isEmpty ? 0.5...2 : (positive.min()! / room)...(positive.max()! * room)
    self.start = start
    self.end = end
  }

  /// The position of a figure; a figure outside the domain has the position of the nearer end of the axis.
  func place(_ value: Double) -> Double {
    let value = min(max(value, domain.lowerBound), domain.upperBound)
    return start
      + log(value / domain.lowerBound) / log(domain.upperBound / domain.lowerBound) * (end - start)
  }

  /// The round numbers to mark on the axis, in ascending order, all inside the domain.
  var ticks: [Double] {
    let exponents = [domain.lowerBound, domain.upperBound].map { Int(log10($0).rounded(.down)) }
    let isWide = domain.upperBound / domain.lowerBound > 100
    let digits: [Double] = isWide ? [1, 3] : [1, 1.2, 1.5, 2, 3, 5, 7]
    return (exponents[0]...exponents[1]).flatMap { exponent in digits.map { $0 * pow(10, Double(exponent)) } }
      .filter(domain.contains)
  }
}
