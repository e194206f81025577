internal import LiveTables

/// What a terminal shows that obeys the sequences it is sent: moves, clearing and styles, which it doesn't show.
struct Screenful {
  private var rows: [Int: [Int: Character]] = [:]
  private var row = 0
  private var column = 0

  /// The rows without the blanks at their end.
  func text(_ size: Size) -> [String] {
    (0..<size.rows).map { row in
      let characters = (0..<size.columns).map { rows[row]?[$0] ?? " " }
      let used = characters.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      return String(characters[..<used])
    }
  }

  mutating func obey(_ output: String) {
    var rest = output[...]
    while let character = rest.popFirst() {
      guard character == "\u{1B}" else {
        rows[row, default: [:]][column] = character
        column += 1
        continue
      }
      let end = rest.firstIndex { $0.isLetter }!
      let numbers = rest[..<end].dropFirst().split(separator: ";").map { Int($0) ?? 0 }
      switch rest[end] {
      case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
      case "J": rows = [:]
      default: break
      }
      rest = rest[rest.index(after: end)...]
    }
  }
}
