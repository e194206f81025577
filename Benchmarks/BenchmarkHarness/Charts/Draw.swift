/// Draws the shapes of charts.
enum Draw {
  enum Anchor: String {
    case start, middle, end
  }

  /// Formats a coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    let text = Figures.fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func text(
    _ text: String, x: Double, y: Double, class name: String = "", anchor: Anchor = .start
  ) -> String {
    Markup.element(
      "text", ["x": number(x), "y": number(y), "class": name, "text-anchor": anchor.rawValue], text: text)
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) -> String {
    Markup.element(
      "line",
      ["x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2), "class": name])
  }

  static func bar(from start: Double, to end: Double, y: Double, height: Double, class name: String) -> String
  {
    Markup.element(
      "rect",
      [
        "x": number(min(start, end)), "y": number(y), "width": number(max(1, abs(end - start))),
        "height": number(height), "class": name,
      ])
  }

  static func circle(_ x: Double, _ y: Double, radius: Double, class name: String) -> String {
    Markup.element("circle", ["cx": number(x), "cy": number(y), "r": number(radius), "class": name])
  }

  /// A horizontal line with a short stroke across each end.
  static func lyingWhisker(from start: Double, to end: Double, y: Double) -> String {
    let path =
      "M\(number(start)) \(number(y - 3))v6M\(number(start)) \(number(y))H\(number(end))"
      + "M\(number(end)) \(number(y - 3))v6"
    return Markup.element("path", ["d": path, "class": "whisker"])
  }
}
