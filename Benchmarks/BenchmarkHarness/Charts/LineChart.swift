/// A line chart with two logarithmic axes, one line for each measured implementation.
///
/// The names of the lines stand right of the plot.
struct LineChart {
  struct Point {
    let x: Double
    let summary: Summary
    /// Whether the figure is unreliable, so that the chart draws its point pale.
    let isDoubtful: Bool
  }

  struct Line {
    let name: String
    let points: [Point]
  }

  let frame: ChartFrame
  let horizontalTitle: String
  let verticalTitle: String
  let tickText: (Double) -> String
  /// The greatest value that a figure of this chart can have, and a label for it; `nil` if there is no limit.
  ///
  /// For example, a display shows at most `Metric.mostFrames` frames per second.
  let cap: (value: Double, name: String)?
  let lines: [Line]

  private static let legend = Legend(entries: [
    (.point, "median, and half of the rounds"),
    (.pale, "pale: marked \(Mark.wide.rawValue) or \(Mark.disturbed.rawValue), see the tables"),
  ])

  private static let left = 66.0
  /// The width, in pixels, of the space between the plot and the names of the lines.
  private static let leaderWidth = 40.0
  private static let plotHeight = 400.0
  private static let lineHeight = 15.0

  /// The x coordinate of the plot's right edge, in pixels.
  ///
  /// It leaves room for the names of the lines, but is at least 400, so a very long name is cut off.
  private var right: Double {
    let longest = lines.map { ChartStyle.width(of: $0.name) }.max() ?? 0
    return max(400, ChartStyle.width - 16 - Self.leaderWidth - longest)
  }

  var element: String {
    let top = frame.top + Self.legend.height + 16
    // The plot is tall enough that the names of all lines fit beside it, one below another.
    let bottom = top + max(Self.plotHeight, Double(lines.count) * Self.lineHeight)
    let points = lines.flatMap(\.points)
    let horizontal = Scale.logarithmic(
      covering: points.map(\.x), room: 1.06, from: Self.left, to: right)
    let vertical = Scale.logarithmic(
      covering: points.flatMap { [$0.summary.median, $0.summary.lowerQuartile, $0.summary.upperQuartile] }
        + [cap?.value].compactMap(\.self),
      room: cap == nil ? 1.15 : 1.3, from: bottom, to: top)
    let parts =
      Self.legend.elements(top: frame.top) + grid(horizontal, vertical, top: top, bottom: bottom)
      + capped(vertical)
      + lines.enumerated().flatMap { drawn($1, number: $0, horizontal, vertical) }
      + names(horizontal, vertical, top: top, bottom: bottom)
    return frame.element(parts, height: bottom + 46)
  }

  private func grid(_ horizontal: Scale, _ vertical: Scale, top: Double, bottom: Double) -> [String] {
    var parts = [
      Draw.text(verticalTitle, x: 16, y: top - 10, class: "faint"),
      Draw.text(
        horizontalTitle, x: (Self.left + right) / 2, y: bottom + 38, class: "faint", anchor: .middle),
    ]
    // The horizontal axis has its labels at the measured points and not at round numbers, because there are
    // only a few points.
    let stops = Set(lines.flatMap(\.points).map(\.x)).sorted()
    let places = stops.map(horizontal.place)
    for place in places {
      parts.append(Draw.line(place, top, place, bottom, class: "grid"))
    }
    let texts = stops.map { Self.text(ofStop: $0) }
    let widths = texts.map { ChartStyle.width(of: $0) }
    for index in LabelLayout.shown(at: places, widths: widths, space: 8) {
      parts.append(Draw.text(texts[index], x: places[index], y: bottom + 18, anchor: .middle))
    }
    // `LabelLayout` needs ascending positions. The vertical positions of the ticks descend, so they are
    // negated. The labels are one above another, so their height, 12 pixels, is passed as `widths`.
    let ticks = vertical.ticks
    let heights = ticks.map { -vertical.place($0) }
    let shown = LabelLayout.shown(at: heights, widths: ticks.map { _ in 12 }, space: 4)
    for (index, tick) in ticks.enumerated() {
      parts.append(Draw.line(Self.left, -heights[index], right, -heights[index], class: "grid"))
      if shown.contains(index) {
        parts.append(Draw.text(tickText(tick), x: Self.left - 8, y: -heights[index] + 4, anchor: .end))
      }
    }
    return parts
  }

  /// Draws a labelled horizontal line at `cap`, the greatest value that a figure can have.
  private func capped(_ vertical: Scale) -> [String] {
    guard let cap else { return [] }
    let place = vertical.place(cap.value)
    return [
      Draw.line(Self.left, place, right, place, class: "cap"),
      Draw.text(cap.name, x: Self.left + 6, y: place - 5, class: "faint"),
    ]
  }

  /// Formats a whole number for the horizontal axis; for example, 2000 becomes "2·10³".
  static func text(ofStop value: Double) -> String {
    var power = 0
    var rest = value
    while rest >= 10, rest.truncatingRemainder(dividingBy: 10) == 0 {
      rest /= 10
      power += 1
    }
    guard power >= 3 else { return Figures.fixed(value, 0) }
    let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
    let exponent = String(power).compactMap { $0.wholeNumberValue.map { digits[$0] } }
    return rest == 1 ? "10\(String(exponent))" : "\(Figures.fixed(rest, 0))·10\(String(exponent))"
  }

  private func drawn(_ line: Line, number: Int, _ horizontal: Scale, _ vertical: Scale) -> [String] {
    let colour = number % ChartStyle.colourCount
    let dashed = number >= ChartStyle.colourCount ? " dashed" : ""
    let places = line.points.map { (horizontal.place($0.x), vertical.place($0.summary.median)) }
    let path = places.enumerated().map { index, place in
      "\(index == 0 ? "M" : "L")\(Draw.number(place.0)) \(Draw.number(place.1))"
    }.joined()
    var parts = [Markup.element("path", ["d": path, "class": "line s\(colour)\(dashed)"])]
    for (point, place) in zip(line.points, places) {
      parts.append(
        Draw.line(
          place.0, vertical.place(point.summary.lowerQuartile), place.0,
          vertical.place(point.summary.upperQuartile), class: "whisker s\(colour)"))
      parts.append(
        Draw.circle(
          place.0, place.1, radius: 3, class: "f\(colour)" + (point.isDoubtful ? " doubtful" : "")))
    }
    return parts
  }

  /// Draws the names of the lines to the right of the plot, without overlaps.
  ///
  /// Each name stands right of a short sample of its line. A dotted line connects the sample with the line's
  /// last point.
  private func names(_ horizontal: Scale, _ vertical: Scale, top: Double, bottom: Double) -> [String] {
    let ends = lines.map { line in
      line.points.last.map { (x: horizontal.place($0.x), y: vertical.place($0.summary.median)) }
        ?? (x: right, y: bottom)
    }
    let places = LabelLayout.spread(ends.map(\.y), gap: Self.lineHeight, within: (top + 4)...(bottom - 4))
    return lines.indices.flatMap { index in
      let colour = index % ChartStyle.colourCount
      let dashed = index >= ChartStyle.colourCount ? " dashed" : ""
      return [
        Draw.line(
          ends[index].x + 6, ends[index].y, right + 18, places[index], class: "leader"),
        Draw.line(
          right + 20, places[index], right + 36, places[index], class: "line s\(colour)\(dashed)"),
        Draw.circle(right + 28, places[index], radius: 3, class: "f\(colour)"),
        Draw.text(lines[index].name, x: right + Self.leaderWidth, y: places[index] + 4),
      ]
    }
  }
}
