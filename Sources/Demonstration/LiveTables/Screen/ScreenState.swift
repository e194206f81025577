package import ViewModels

/// Everything that the screen shows at a moment.
package struct ScreenState: Sendable {
  /// How the run stands.
  package var figures: Figures
  /// What can be seen of the table.
  package var table: Window
  package var player: PlayerState
  /// What is being typed; `nil` while keys are commands.
  package var prompt: Prompt?
  /// Whether this is the last picture.
  package var isEnding = false

  package init(figures: Figures, table: Window, player: PlayerState, prompt: Prompt? = nil) {
    self.figures = figures
    self.table = table
    self.player = player
    self.prompt = prompt
  }

  /// The rows that can be seen, and where they are in the table.
  package struct Window: Sendable {
    /// A row, and what has happened to it lately.
    package struct Row: Sendable {
      package var text: String
      package var mark: RecentChanges.Mark?
      package var isLatest: Bool

      package init(text: String, mark: RecentChanges.Mark? = nil, isLatest: Bool = false) {
        self.text = text
        self.mark = mark
        self.isLatest = isLatest
      }
    }

    package var rows: [Row]
    /// The index of the first of them.
    package var start: Int
    /// How many rows the table has.
    package var count: Int
    /// Whether the window goes where the changes are.
    package var follows: Bool

    package init(rows: [Row], start: Int = 0, count: Int, follows: Bool = false) {
      self.rows = rows
      self.start = start
      self.count = count
      self.follows = follows
    }
  }

  /// A question and what has been typed so far.
  package struct Prompt: Sendable, Equatable {
    package enum Subject: Sendable {
      case workers, name
    }

    package var subject: Subject
    package var text = ""

    package init(_ subject: Subject, text: String = "") {
      self.subject = subject
      self.text = text
    }
  }
}
