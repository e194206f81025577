/// The parts that all charts share: title, subtitle, warning, background and the source of the figures.
struct ChartFrame {
  let title: String
  /// Says what the axes show, and whether low or high figures are better.
  let subtitle: String
  /// A prominent warning, for example about a debug build; `nil` for none.
  let warning: String?
  /// The text below the chart, which names the machine, the compiler and the number of rounds.
  let source: String

  /// The y coordinate, in pixels, at which the body of the chart begins: below the titles and the warning.
  var top: Double { warning == nil ? 70 : 90 }

  /// The complete chart as an SVG element.
  ///
  /// - Parameters:
  ///   - body: The SVG elements of the chart's body, which lie between `top` and `height`.
  ///   - height: The y coordinate, in pixels, at which the body ends.
  func element(_ body: [String], height: Double) -> String {
    let width = ChartStyle.width
    let total = height + 30
    var parts = [
      Markup.element("title", text: title),
      Markup.element(
        "rect", ["class": "ground", "width": Draw.number(width), "height": Draw.number(total)]),
      Draw.text(title, x: 16, y: 26, class: "title"),
      Draw.text(subtitle, x: 16, y: 46, class: "faint"),
    ]
    if let warning {
      parts.append(Draw.text(warning, x: 16, y: 66, class: "warning"))
    }
    parts += body
    parts.append(Draw.text(source, x: 16, y: total - 12, class: "faint"))
    return Markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "chart", "role": "img", "aria-label": title,
        "width": Draw.number(width), "height": Draw.number(total),
        "viewBox": "0 0 \(Draw.number(width)) \(Draw.number(total))",
      ], content: "\n" + parts.joined(separator: "\n") + "\n")
  }
}
