/// The meanings of a chart's marks, each beside the mark as the plot draws it.
struct Legend {
  enum Mark {
    /// With the classes of a bar.
    case bar(String)
    case whisker
    /// The point of a line, with its whisker.
    case point
    case pale
    case dot
    /// For a sentence about the figures.
    case none
  }

  let entries: [(mark: Mark, text: String)]

  /// The distance between two lines of entries.
  private static let lineHeight = 18.0

  /// The height of the entries below the first line, with the space after them.
  var height: Double {
    guard let last = places.last else { return 0 }
    return last.y + 14
  }

  /// Where the entries begin, below the first line.
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

  /// - Parameter top: The base line of the first line of texts.
  func elements(top: Double) -> [String] {
    zip(entries, places).flatMap { entry, place in
      Self.drawn(entry.mark, x: place.x, y: top + place.y - 4)
        + [Draw.text(entry.text, x: place.x + Self.textOffset(entry.mark), y: top + place.y)]
    }
  }

  private static func textOffset(_ mark: Mark) -> Double {
    if case .none = mark { 0 } else { 20 }
  }

  /// A mark of at most 14 by 12 whose middle is at the given height.
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
