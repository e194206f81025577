/// The control sequences of a terminal.
package enum Control {
  static let escape = "\u{1B}"

  static func sequence(_ numbers: [Int], _ command: String) -> String {
    "\(escape)[\(numbers.map(String.init).joined(separator: ";"))\(command)"
  }

  /// Switches to the alternate screen, hides the cursor and clears the screen.
  package static let enterScreen = "\(escape)[?1049h\(escape)[?25l\(clear)"

  /// Switches back to the original screen and shows the cursor.
  package static let leaveScreen = "\(escape)[0m\(escape)[?25h\(escape)[?1049l"

  static let clear = "\(escape)[0m\(escape)[2J"

  /// The sequence that moves the cursor to a cell.
  ///
  /// - Parameters:
  ///   - column: Counted from 0.
  ///   - row: Counted from 0.
  static func move(column: Int, row: Int) -> String {
    sequence([row + 1, column + 1], "H")
  }
}
