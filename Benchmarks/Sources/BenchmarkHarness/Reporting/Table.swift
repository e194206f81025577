/// A table of a report, which the text and the page draw.
struct Table {
  let title: String
  /// Columns that belong together, with a common title.
  let groups: [(title: String, columns: [String])]
  var rows: [Row] = []

  struct Row {
    let name: String
    /// A cell for each column of all groups, or the table traps; `nil` for a heading of the rows that follow.
    let cells: [Cell]?
  }

  enum Cell {
    case text(String)
    case bar(Bar)

    /// The cell in a fixed-width font.
    var text: String {
      switch self {
      case .text(let text): text
      case .bar(let bar): bar.text
      }
    }
  }

  /// A figure that is drawn as a bar.
  struct Bar {
    let summary: Summary
    /// The figure that the longest bar stands for; a greater figure is cut off.
    let limit: Double
    /// The length of the longest bar in characters; with 1, the bar is vertical.
    let width: Int

    var isCut: Bool { summary.median > limit * 1.001 }

    /// The share of the longest bar, from 0 to 1, that stands for a figure.
    func share(_ value: Double) -> Double { limit > 0 ? min(1, max(0, value / limit)) : 0 }

    /// The bar as block characters; ▸ at its end if it is cut off.
    var text: String {
      if width == 1 {
        return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][min(7, Int(share(summary.median) * 8))]
      }
      if isCut { return String(repeating: "█", count: width - 1) + "▸" }
      let eighths = Int((share(summary.median) * Double(width * 8)).rounded())
      let bar =
        String(repeating: "█", count: eighths / 8)
        + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
      return bar + String(repeating: " ", count: max(0, width - bar.count))
    }
  }

  /// The lines of the table in a fixed-width font: group titles and column titles, if there are any, and
  /// rows.
  ///
  /// Names are left-aligned, figures right-aligned.
  var lines: [String] {
    let titles = groups.flatMap(\.columns)
    let texts = rows.map { row in row.cells?.map(\.text) }
    var widths = titles.indices.map { column in
      max(titles[column].count, texts.compactMap { $0?[column].count }.max() ?? 0)
    }
    // If a group's title is wider than its columns, the first of these columns is widened.
    var first = 0
    for group in groups {
      let columns = first..<(first + group.columns.count)
      widths[first] += max(0, group.title.count - widths[columns].reduce(columns.count - 1, +))
      first = columns.upperBound
    }
    let nameWidth = rows.filter { $0.cells != nil }.map(\.name.count).max() ?? 0

    /// Returns the parts of a line, each padded to the width of as many columns as it has.
    func line(_ name: String, _ parts: [(text: String, columns: Int)]) -> String {
      var line = name + String(repeating: " ", count: nameWidth - name.count)
      var column = 0
      let starts = Set(groups.indices.map { groups[..<$0].reduce(0) { $0 + $1.columns.count } })
      for (text, columns) in parts {
        let width = widths[column..<(column + columns)].reduce(columns - 1, +)
        let spaces = width - text.count + (starts.contains(column) ? 3 : 1)
        line += String(repeating: " ", count: spaces) + text
        column += columns
      }
      while line.last == " " { line.removeLast() }
      return line
    }

    var lines: [String] = []
    if groups.contains(where: { !$0.title.isEmpty }) {
      lines.append(line("", groups.map { ($0.title, $0.columns.count) }))
    }
    if titles.contains(where: { !$0.isEmpty }) { lines.append(line("", titles.map { ($0, 1) })) }
    lines += zip(rows, texts).map { row, texts in
      texts.map { line(row.name, $0.map { ($0, 1) }) } ?? row.name
    }
    return lines
  }
}
