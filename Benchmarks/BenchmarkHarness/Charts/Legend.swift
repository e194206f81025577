/// The legend of a chart: each entry shows a mark of the plot, and a text that explains the mark.
struct Legend {
  enum Mark {
    /// A bar with the given CSS classes.
    case bar(String)
    case whisker
    /// A point of a line, with a whisker.
    case point
    case pale
    case dot
    /// No mark, for an entry that is a sentence about the figures.
    case none
  }

  let entries: [(mark: Mark, text: String)]

  /// The distance between the baselines of two successive lines of the legend, in pixels.
  private static let lineHeight = 18.0

  /// The height of the legend in pixels, measured from the baseline of its first line of text.
  var height: Double {
    guard let last = places.last else { return 0 }
    return last.y + 14
  }

  /// The position of each entry in pixels: `x` from the left edge of the chart, and `y` from the baseline of
  /// the legend's first line.
  private var places: [(x: Double, y: Double)] {
    var (x, y) = (16.0, 0.0)
    return entries.map { mark, text in
      let width = Self.textOffset(mark) + ChartStyle.width(of: text)
      if x + width > ChartStyle.width - 16, x > 16 {
        x = 16
        y += Self.lineHeight
      }
      defer { x += width + 18 }
      return (x, y)
    }
  }

  /// The SVG elements of all entries.
  ///
  /// - Parameter top: The y coordinate of the baseline of the legend's first line.
  func elements(top: Double) -> [String] {
    zip(entries, places).flatMap { entry, place in
      Self.drawn(entry.mark, x: place.x, y: top + place.y - 4)
        + [Draw.text(entry.text, x: place.x + Self.textOffset(entry.mark), y: top + place.y)]
    }
  }

  private static func textOffset(_ mark: Mark) -> Double {
    if case .none = mark { 0 } else { 20 }
  }

  /// Draws a mark in a box of 14 by 12 pixels, whose left edge is at `x` and whose vertical middle is at `y`.
  private static func drawn(_ mark: Mark, x: Double, y: Double) -> [String] {
    switch mark {
    case .bar(let name): [Draw.bar(from: x, to: x + 14, y: y - 5.5, height: 11, class: name)]
    case .whisker: [Draw.lyingWhisker(from: x, to: x + 14, y: y)]
    case .point:
      [
        Draw.line(x + 7, y - 6, x + 7, y + 6, class: "whisker s7"),
        Draw.circle(x + 7, y, radius: 3, class: "f7"),
      ]
    case .pale: [Draw.circle(x + 7, y, radius: 3, class: "f7 doubtful")]
    case .dot: [Draw.circle(x + 7, y, radius: 3.5, class: "dot")]
    case .none: []
    }
  }
}
