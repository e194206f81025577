/// Interprets keys as commands, as the answer to a question, or as moves of the window (the visible part of
/// the table).
package struct Controls: Sendable, Equatable {
  /// A command that the user has given.
  package enum Command: Sendable, Equatable {
    case quit
    case restart(workers: Int)
    case rename(String)
    case upload, stepUp, stepDown
    /// Search for rows that contain the text typed so far; `nil` to end the search.
    case search(String?)
    /// Show the first row that was found, and end the search.
    case showFound
    /// Move the first visible row to the shelf, which is a second list of rows.
    case shelve
    /// Move the last row of the shelf back to the table, where it becomes the first visible row.
    case unshelve
  }

  private static let longestName = 32

  /// The question that the user is answering; `nil` while keys are commands.
  package private(set) var prompt: ScreenState.Prompt?
  /// Whether the window scrolls to the latest change.
  package private(set) var follows = false
  /// The index of the first visible row.
  package private(set) var start = 0

  package init() {}

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - key: The key that was pressed.
  ///   - page: The number of visible rows.
  /// - Returns: The command, or `nil` if the key only changes the display or has no effect.
  package mutating func press(_ key: Key, page: Int) -> Command? {
    if let prompt { return type(key, prompt) }
    switch key {
    case .character("q"), .character("Q"): return .quit
    case .character("u"): return .upload
    case .character("+"), .character("="): return .stepUp
    case .character("-"): return .stepDown
    case .character("r"): prompt = ScreenState.Prompt(.workers)
    case .character("m"): return .shelve
    case .character("b"): return .unshelve
    case .character("/"):
      prompt = ScreenState.Prompt(.search)
      return .search("")
    case .character("n"): prompt = ScreenState.Prompt(.name)
    case .character("f"): follows.toggle()
    case .up: scroll(to: start - 1)
    case .down: scroll(to: start + 1)
    case .pageUp: scroll(to: start - max(1, page))
    case .pageDown: scroll(to: start + max(1, page))
    case .home: scroll(to: 0)
    // A position beyond the last row; `show` later moves the window back to the rows. It is only half of
    // `Int.max`, so that further moves before `show` can't overflow.
    case .end: scroll(to: .max / 2)
    case .character, .enter, .backspace, .escape: break
    }
    return nil
  }

  /// Moves the window, if necessary, so that it shows existing rows.
  ///
  /// If `follows` is set, the window also moves so that the row of the latest change is visible.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - page: The number of visible rows.
  ///   - latest: The index of the row that was changed last; `nil` if the latest change was a removal.
  package mutating func show(count: Int, page: Int, latest: Int?) {
    if follows, let latest, !(start..<start + page).contains(latest) {
      // The row is put into the middle of the window, so that the next change is likely to be visible without
      // another move.
      start = latest - page / 2
    }
    start = max(0, min(start, count - page))
  }

  /// Makes `row` the first visible row, and stops following the latest change.
  ///
  /// `show` later moves the window to existing rows, if `row` is too great.
  package mutating func scroll(to row: Int) {
    follows = false
    start = max(0, row)
  }

  private mutating func type(_ key: Key, _ prompt: ScreenState.Prompt) -> Command? {
    switch key {
    case .character(let character) where accepts(character, prompt):
      self.prompt?.text.append(character)
      if prompt.subject == .search { return .search(prompt.text + String(character)) }
    case .backspace:
      self.prompt?.text = String(prompt.text.dropLast())
      if prompt.subject == .search { return .search(String(prompt.text.dropLast())) }
    case .escape:
      self.prompt = nil
      if prompt.subject == .search { return .search(nil) }
    case .enter:
      self.prompt = nil
      switch prompt.subject {
      case .workers: return Int(prompt.text).map { .restart(workers: $0) }
      case .name: return .rename(prompt.text)
      case .search: return .showFound
      }
    default: break
    }
    return nil
  }

  private func accepts(_ character: Character, _ prompt: ScreenState.Prompt) -> Bool {
    switch prompt.subject {
    case .workers:
      Int(prompt.text + String(character)).map { (0...Options.mostWorkers).contains($0) } ?? false
    // The limit counts Unicode scalars, because one character can have any number of accents.
    case .name, .search: prompt.text.unicodeScalars.count < Self.longestName
    }
  }
}
