/// A table in a fixed-width font.
///
/// Columns form groups, and each group has a title.
package struct TextTable {
  /// Columns that belong together.
  package struct ColumnGroup {
    package let title: String
    package let columns: [String]

    package init(_ title: String, columns: [String]) {
      self.title = title
      self.columns = columns
    }
  }

  private let groups: [ColumnGroup]
  /// A heading is a row without cells.
  private var rows: [(name: String, cells: [String]?)] = []

  package init(_ groups: [ColumnGroup]) {
    self.groups = groups
  }

  /// Adds a row; traps unless `cells` has one element for each column of all groups.
  package mutating func addRow(_ name: String, _ cells: [String]) {
    precondition(cells.count == groups.reduce(0) { $0 + $1.columns.count }, "a row of another table")
    rows.append((name, cells))
  }

  /// Adds a line with a heading for the rows that are added next.
  package mutating func addHeading(_ text: String) {
    rows.append((text, nil))
  }

  /// The lines of the table: group titles and column titles, if there are any, and rows.
  ///
  /// Names are left-aligned, figures right-aligned.
  package var lines: [String] {
    let titles = groups.flatMap(\.columns)
    let cells = rows.compactMap(\.cells)
    var widths = titles.indices.map { column in
      max(titles[column].count, cells.map(\.[column].count).max() ?? 0)
    }
    // If a group's title is wider than its columns, the first of these columns is widened.
    var first = 0
    for group in groups {
      let columns = first..<(first + group.columns.count)
      let width = Self.width(widths[columns])
      widths[first] += max(0, group.title.count - width)
      first = columns.upperBound
    }
    let nameWidth = rows.filter { $0.cells != nil }.map(\.name.count).max() ?? 0

    func line(_ name: String, _ cells: [String]) -> String {
      var line = Self.pad(name, nameWidth, left: false)
      var column = 0
      for group in groups {
        line += "  "
        for _ in group.columns {
          line += " " + Self.pad(cells[column], widths[column], left: true)
          column += 1
        }
      }
      return Self.withoutTrailingSpaces(line)
    }

    var lines: [String] = []
    if groups.contains(where: { !$0.title.isEmpty }) {
      var line = Self.pad("", nameWidth, left: false)
      var column = 0
      for group in groups {
        let width = Self.width(widths[column..<(column + group.columns.count)])
        line += "   " + Self.pad(group.title, width, left: true)
        column += group.columns.count
      }
      lines.append(Self.withoutTrailingSpaces(line))
    }
    if titles.contains(where: { !$0.isEmpty }) {
      lines.append(line("", titles))
    }
    lines += rows.map { row in row.cells.map { line(row.name, $0) } ?? row.name }
    return lines
  }

  /// The width, in characters, of adjacent columns with the spaces between them.
  private static func width(_ widths: ArraySlice<Int>) -> Int {
    widths.reduce(0, +) + widths.count - 1
  }

  private static func pad(_ text: String, _ width: Int, left: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return left ? spaces + text : text + spaces
  }

  private static func withoutTrailingSpaces(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
