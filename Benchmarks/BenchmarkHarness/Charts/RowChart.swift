/// A bar chart with a panel for each contest and a row for each contestant.
///
/// Names stand left of the bars, and figures right of them, so that no text overlaps a bar.
struct RowChart {
  struct Row {
    /// The meaning of a bar's colour.
    enum Kind: String {
      case better, worse, same, plain
    }

    let name: String
    /// The figure as text.
    let text: String
    let kind: Kind
    /// The two ends of the bar.
    let bar: (start: Double, end: Double)
    /// The ends of the whisker (error bar): the lower and the upper quartile over all rounds; `nil` for none.
    let whisker: (start: Double, end: Double)?
    /// A further figure to draw as a dot, such as the longest wait; `nil` for none.
    var dot: Double?
    /// Whether the figure is unreliable, so that the chart draws its bar pale.
    let isDoubtful: Bool
  }

  struct Panel {
    let title: String
    let scale: Scale
    let tickText: (Double) -> String
    /// The figure at which all bars of the panel begin: 1 for ratios, otherwise 0.
    ///
    /// The value is `nil` if each bar begins at a figure of its own. For example, a bar of waits extends from
    /// their median to their 99th percentile.
    let base: Double?
    /// The rows of the panel in parts, each part with an optional heading.
    let parts: [(heading: String?, rows: [Row])]

    /// The number of rows and headings.
    var lineCount: Int { parts.reduce(0) { $0 + $1.rows.count + ($1.heading == nil ? 0 : 1) } }
  }

  let frame: ChartFrame
  let legend: Legend
  let panels: [Panel]

  static let left = 272.0
  static let right = 606.0

  var element: String {
    var parts = legend.elements(top: frame.top)
    var y = frame.top + legend.height
    for panel in panels {
      parts += elements(panel, top: y)
      y += Self.height(panel)
    }
    return frame.element(parts, height: y)
  }

  private static func height(_ panel: Panel) -> Double {
    22 + Double(panel.lineCount) * ChartStyle.rowHeight + 28
  }

  private func elements(_ panel: Panel, top: Double) -> [String] {
    let first = top + 22
    let bottom = first + Double(panel.lineCount) * ChartStyle.rowHeight
    var parts = [Draw.text(panel.title, x: 16, y: top + 14, class: "panel")]
    let ticks = panel.scale.ticks
    let places = ticks.map(panel.scale.place)
    for place in places {
      parts.append(Draw.line(place, first, place, bottom, class: "grid"))
    }
    let widths = ticks.map { ChartStyle.width(of: panel.tickText($0)) }
    for index in LabelLayout.shown(at: places, widths: widths, space: 8) {
      parts.append(
        Draw.text(
          panel.tickText(ticks[index]), x: places[index], y: bottom + 15, class: "faint", anchor: .middle))
    }
    if let base = panel.base {
      let place = panel.scale.place(base)
      parts.append(Draw.line(place, first - 2, place, bottom + 2, class: "base"))
    }
    var y = first
    for (heading, rows) in panel.parts {
      if let heading {
        parts.append(Draw.text(heading, x: 16, y: y + ChartStyle.rowHeight / 2 + 4, class: "heading"))
        y += ChartStyle.rowHeight
      }
      for row in rows {
        parts += elements(row, on: panel.scale, top: y)
        y += ChartStyle.rowHeight
      }
    }
    return parts
  }

  private func elements(_ row: Row, on scale: Scale, top: Double) -> [String] {
    let middle = top + ChartStyle.rowHeight / 2
    var parts = [
      Draw.text(row.name, x: Self.left - 8, y: middle + 4, anchor: .end),
      Draw.bar(
        from: scale.place(row.bar.start), to: scale.place(row.bar.end), y: middle - 6, height: 12,
        class: row.kind.rawValue + (row.isDoubtful ? " doubtful" : "")),
    ]
    if let whisker = row.whisker {
      parts.append(
        Draw.lyingWhisker(from: scale.place(whisker.start), to: scale.place(whisker.end), y: middle))
    }
    if let dot = row.dot {
      parts.append(Draw.circle(scale.place(dot), middle, radius: 3.5, class: "dot"))
    }
    parts.append(Draw.text(row.text, x: Self.right + 14, y: middle + 4))
    return parts
  }
}
