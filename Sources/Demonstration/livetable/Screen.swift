import ViewModels

/// The text of the screen.
struct Screen {
  /// The number of columns and rows of a terminal.
  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  /// The index of the first visible row.
  var start = 0
  /// The number of workers that the user is typing; `nil` while keys are commands.
  var typed: String?
  var isEnding = false

  static let ending = "Ending with the audit; in two seconds a signal ends it at once"

  /// The number of rows of the table that fit.
  static func capacity(_ size: Size) -> Int { max(0, size.rows - 3) }

  /// The lines of the screen, each with a control sequence for its style.
  @MainActor
  private func lines(_ session: Session, _ size: Size) -> [(style: String, text: String)] {
    let table = session.table
    let capacity = Self.capacity(size)
    let start = max(0, min(start, table.rows.count - capacity))
    let visible = start..<min(table.rows.count, start + capacity)
    let rows = visible.map { index -> (String, String) in
      let row = table.rows[index]
      let text = "\(index + 1)  \(row.text)"
      switch table.mark(of: row) {
      case .inserted: return ("32", "+ \(text)")
      case .modified: return ("33", "~ \(text)")
      case .removed, nil: return ("", "  \(text)")
      }
    }
    let blank = Array(repeating: ("", ""), count: capacity - rows.count)
    let range = "rows \(visible.isEmpty ? 0 : start + 1) to \(visible.upperBound) of \(table.rows.count)"
    let keys =
      isEnding
      ? Self.ending
      : typed.map { "How many workers? \($0)_   Enter, or Escape" }
        ?? "\(range)   r restart  s strategy  l lock  p pause  q quit"
    return [("7", "livetable"), ("", session.figures)] + rows + blank + [("2", keys)]
  }

  /// The text to write so that the terminal shows the session.
  @MainActor
  func picture(of session: Session, size: Size) -> String {
    let lines = lines(session, size).prefix(size.rows).map { style, text in
      Control.style(style) + text.prefix(size.columns) + Control.style("") + Control.clearLine
    }
    return Control.home + lines.joined(separator: "\n") + Control.clearBelow
  }

  /// What a key asks for.
  enum Command: Equatable {
    case quit, pause, nextStrategy, nextLock
    case restart(workers: Int)
  }

  /// Handles a key; returns `nil` if it only changes the screen, or has no effect.
  mutating func press(_ key: Key, page: Int, rowCount: Int) -> Command? {
    if let typed { return type(key, after: typed) }
    switch key {
    case .character("q"): return .quit
    case .character("p"), .character(" "): return .pause
    case .character("s"): return .nextStrategy
    case .character("l"): return .nextLock
    case .character("r"): typed = ""
    case .up: start -= 1
    case .down: start += 1
    case .pageUp: start -= page
    case .pageDown: start += page
    default: break
    }
    start = max(0, min(start, rowCount - page))
    return nil
  }

  private mutating func type(_ key: Key, after text: String) -> Command? {
    switch key {
    case .character(let digit) where digit.isWholeNumber && text.count < 3: typed = text + String(digit)
    case .backspace: typed = String(text.dropLast())
    case .escape: typed = nil
    case .enter:
      typed = nil
      return Int(text).map { .restart(workers: $0) }
    default: break
    }
    return nil
  }
}

/// The control sequences of a terminal.
enum Control {
  static let enterScreen = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  static let leaveScreen = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  static let home = "\u{1B}[H"
  static let clearLine = "\u{1B}[K"
  static let clearBelow = "\u{1B}[J"

  static func style(_ codes: String) -> String { "\u{1B}[\(codes)m" }
}
