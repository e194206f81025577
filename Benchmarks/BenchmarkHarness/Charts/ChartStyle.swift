/// The style of the charts: one style sheet, with light and dark colours.
package enum ChartStyle {
  static let width = 860.0
  static let rowHeight = 20.0

  /// The number of colours for the lines of a chart; further lines repeat the colours and are dashed.
  static let colourCount = 8

  /// The style sheet of all charts.
  ///
  /// The colours are based on the palette of Okabe and Ito, so that colour-blind people can distinguish them.
  /// Dark mode has lighter colours on a dark background. Each chart paints its background, because the page
  /// around it may be light while the system is set to dark. Some programs don't support CSS variables. For
  /// them, a declaration with a fixed colour precedes each declaration with a variable.
  static let sheet = light.reduce(sheetOfVariables) { sheet, colour in
    ["fill", "stroke"].reduce(sheet) { sheet, property in
      let declaration = "\(property): var(--\(colour.key));"
      return sheet.replacing(declaration, with: "\(property): \(colour.value); \(declaration)")
    }
  }

  private static let sheetOfVariables = """
    .chart { \(variables(light)) \
    font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    @media (prefers-color-scheme: dark) { .chart { \(variables(dark)) } }
    .chart text { fill: var(--ink); }
    .chart .ground { fill: var(--ground); }
    .chart .title { font-size: 16px; font-weight: 600; }
    .chart .panel { font-weight: 600; }
    .chart .heading { font-style: italic; paint-order: stroke; stroke: var(--ground); stroke-width: 4px; }
    .chart .cap { stroke: var(--faint); stroke-width: 1.2; stroke-dasharray: 8 4; }
    .chart .faint { fill: var(--faint); }
    .chart .warning { fill: var(--warning); font-weight: 600; }
    .chart .grid { stroke: var(--grid); stroke-width: 1; }
    .chart .base { stroke: var(--ink); stroke-width: 1.2; }
    .chart .whisker { stroke: var(--ink); stroke-width: 1.2; fill: none; }
    .chart .better { fill: var(--c0); }
    .chart .worse { fill: var(--c1); }
    .chart .same { fill: var(--neutral); }
    .chart .plain { fill: var(--c0); }
    .chart .doubtful { opacity: 0.4; }
    .chart .dot { fill: var(--ground); stroke: var(--ink); stroke-width: 1.5; }
    .chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
    .chart .dashed { stroke-dasharray: 5 3; }
    .chart .leader { fill: none; stroke: var(--faint); stroke-width: 1; stroke-dasharray: 1 4; }
    \(lines)
    """

  private static let light = [
    "ground": "#ffffff", "ink": "#1b1f24", "faint": "#59636e", "grid": "#d8dee4", "neutral": "#8c959f",
    "warning": "#b3261e", "c0": "#0069a8", "c1": "#d05a00", "c2": "#00805c", "c3": "#b5508f", "c4": "#8a6d00",
    "c5": "#3a9bd9", "c6": "#6a4fb3", "c7": "#4d4d4d",
  ]

  private static let dark = [
    "ground": "#0d1117", "ink": "#e6edf3", "faint": "#9aa4af", "grid": "#2d343c", "neutral": "#7d8590",
    "warning": "#ff8a80", "c0": "#4aa8e8", "c1": "#f08a3c", "c2": "#34c79a", "c3": "#e58ac6", "c4": "#e0c04a",
    "c5": "#9bd4ff", "c6": "#b39df0", "c7": "#c9d1d9",
  ]

  private static func variables(_ colours: [String: String]) -> String {
    colours.sorted { $0.key < $1.key }.map { "--\($0.key): \($0.value);" }.joined(separator: " ")
  }

  private static let lines = (0..<colourCount).map { index in
    ".chart .s\(index) { stroke: var(--c\(index)); } .chart .f\(index) { fill: var(--c\(index)); }"
  }.joined(separator: "\n")

  /// The approximate width of a text in pixels, for a font of `size` pixels.
  ///
  /// The exact width depends on the fonts of the reader's machine, which are unknown.
  package static func width(of text: String, size: Double = 12) -> Double {
    text.reduce(0) { width, character in
      let share =
        switch character {
        case "i", "l", "j", "t", "f", "I", ".", ",", ":", ";", "'", "|", "(", ")", " ", "/": 0.36
        case "m", "w", "M", "W", "%": 0.92
        case _ where character.isUppercase: 0.70
        default: 0.60
        }
      return width + share * size
    }
  }
}
