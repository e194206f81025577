extension Document {
  /// The report as a web page, which loads no other file.
  var page: String {
    let body = blocks.map { block in
      switch block {
      case .heading(let text): Markup.element("h2", text: text)
      case .paragraph(let text): Markup.element("p", text: text)
      case .table(let table): table.page
      case .chart(let chart): Markup.element("figure", content: chart.element)
      }
    }
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <title>Interlock: benchmarks</title>
      <style>\(Self.sheet)
      \(LineChart.sheet)</style></head>
      <body><h1>Interlock: benchmarks</h1>
      \(body.joined(separator: "\n"))
      </body></html>

      """
  }

  private static let sheet = """
    :root { color-scheme: light dark; }
    body { background: Canvas; color: CanvasText; max-width: 900px; margin: 2rem auto; padding: 0 1rem;
      font: 15px/1.5 system-ui, sans-serif; }
    h2 { margin-top: 3rem; }
    .table { overflow-x: auto; }
    table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
    caption, th[scope=row], th[scope=rowgroup] { text-align: left; }
    caption { font-weight: 600; white-space: nowrap; }
    th, td { padding: 2px 8px; text-align: right; white-space: nowrap; border-bottom: 1px solid #8884; }
    tbody th[scope=row] { font-weight: normal; }
    .bar { position: relative; display: inline-block; width: 12rem; height: 0.8em; }
    .bar i { position: absolute; inset: 0 auto 0 0; background: #3a9bd9; }
    .bar i.cut { border-right: 4px double Canvas; }
    .bar b { position: absolute; top: 40%; height: 20%; background: CanvasText; }
    """
}

extension Table {
  /// The table as HTML, whose bars have a whisker from quartile to quartile.
  fileprivate var page: String {
    func row(_ cells: [String]) -> String { Markup.element("tr", content: cells.joined()) }
    let count = groups.reduce(1) { $0 + $1.columns.count }
    let heads = [
      groups.map { Markup.element("th", ["colspan": "\($0.columns.count)"], text: $0.title) },
      groups.flatMap(\.columns).map { Markup.element("th", text: $0) },
    ]
    let body = rows.map { item in
      guard let cells = item.cells else {
        return row([Markup.element("th", ["scope": "rowgroup", "colspan": "\(count)"], text: item.name)])
      }
      return row([Markup.element("th", ["scope": "row"], text: item.name)] + cells.map(Self.page))
    }
    let table = Markup.element(
      "table",
      content: Markup.element("caption", text: title)
        + Markup.element("thead", content: heads.map { row(["<td></td>"] + $0) }.joined()) + "\n"
        + Markup.element("tbody", content: body.joined(separator: "\n")))
    return Markup.element("div", ["class": "table"], content: table)
  }

  private static func page(_ cell: Cell) -> String {
    guard case .bar(let bar) = cell else { return Markup.element("td", text: cell.text) }
    func percent(_ value: Double) -> String { "\(Figures.fixed(bar.share(value) * 100, 1))%" }
    let (lower, upper) = (bar.summary.lowerQuartile, bar.summary.upperQuartile)
    let drawn =
      Markup.element(
        "i", ["class": bar.isCut ? "cut" : "", "style": "width:\(percent(bar.summary.median))"], content: "")
      + Markup.element(
        "b", ["style": "left:\(percent(lower));width:\(percent(upper - lower))"], content: "")
    return Markup.element("td", content: Markup.element("div", ["class": "bar"], content: drawn))
  }
}

/// Makes markup that is valid both as XML and as HTML.
enum Markup {
  /// Escapes text for use between elements and in attribute values.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // XML forbids almost all control characters, even escaped.
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The markup of an element, whose content may contain other elements.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], content: String
  ) -> String {
    let list = attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    return "<\(name)\(list)>\(content)</\(name)>"
  }

  /// An element that contains a text.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) -> String {
    element(name, attributes, content: escaped(text))
  }
}
