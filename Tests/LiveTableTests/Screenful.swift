@testable import LiveTables

/// Emulates the screen of a terminal, for the control sequences that the program sends.
struct Screenful {
  private var rows: [Int: [Int: Character]] = [:]
  private var row = 0
  private var column = 0
  /// The beginning of a control sequence whose rest has not come yet.
  private var pending = ""

  /// Whether the alternate screen is active.
  private(set) var isAlternate = false
  private(set) var isCursorVisible = true
  /// The text that was printed while the alternate screen was not active.
  private(set) var scrollback = ""

  /// The rows without trailing blanks.
  func text(_ size: Size) -> [String] {
    (0..<size.rows).map { row in
      let characters = (0..<size.columns).map { rows[row]?[$0] ?? " " }.filter { $0 != Self.half }
      let used = characters.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      return String(characters[..<used])
    }
  }

  mutating func obey(_ output: String) {
    var rest = (pending + output)[...]
    pending = ""
    while let character = rest.first {
      guard character == "\u{1B}" else {
        show(character)
        rest.removeFirst()
        continue
      }
      // The search is by scalars, because a combining mark after the sequence would form one character with
      // the sequence's last letter.
      guard let end = rest.unicodeScalars.firstIndex(where: { $0.isASCII && Character($0).isLetter }) else {
        pending = String(rest)
        return
      }
      command(Character(rest.unicodeScalars[end]), rest[..<end].dropFirst(2))
      rest = rest[rest.unicodeScalars.index(after: end)...]
    }
  }

  private mutating func show(_ character: Character) {
    guard isAlternate else {
      scrollback.append(character == "\r\n" ? "\n" : character)
      return
    }
    let isWide = character.cellCount == 2
    for column in column...(isWide ? column + 1 : column) { erase(column) }
    rows[row, default: [:]][column] = character
    if isWide { rows[row, default: [:]][column + 1] = Self.half }
    column += isWide ? 2 : 1
  }

  /// The placeholder for the second half of a wide character.
  private static let half: Character = "\0"

  /// Erases the character at a cell, with both its halves if the character is wide.
  private mutating func erase(_ column: Int) {
    if rows[row]?[column] == Self.half { rows[row]?[column - 1] = " " }
    if rows[row]?[column + 1] == Self.half { rows[row]?[column + 1] = " " }
    rows[row]?[column] = " "
  }

  private mutating func command(_ letter: Character, _ arguments: Substring) {
    switch (letter, arguments) {
    case ("H", _):
      let numbers = arguments.split(separator: ";").compactMap { Int($0) }
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case ("J", _): rows = [:]
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    default: break
    }
  }
}
