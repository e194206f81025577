package import ViewModels

/// Everything that the screen shows at one moment.
package struct ScreenState: Sendable {
  /// The figures of the run.
  package var figures: Figures
  /// The visible part of the table.
  package var table: Window
  package var player: PlayerState
  /// The question that the user is answering; `nil` while keys are commands.
  package var prompt: Prompt?
  /// The result of the current search, in words for the user; `nil` if there is no search.
  package var found: String?
  /// The lines that show the profile of contention; empty if no profile is recorded.
  package var contention: [String] = []
  /// Whether the run is ending; the last line of the screen then says so, and shows no question.
  package var isEnding = false

  package init(figures: Figures, table: Window, player: PlayerState, prompt: Prompt? = nil) {
    self.figures = figures
    self.table = table
    self.player = player
    self.prompt = prompt
  }

  /// The visible rows, and their place in the table.
  package struct Window: Sendable {
    /// A row and its recent change.
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
    /// The index of the first visible row.
    package var start: Int
    /// The number of rows in the table.
    package var count: Int
    /// Whether the window scrolls to the latest change.
    package var follows: Bool

    package init(rows: [Row], start: Int = 0, count: Int, follows: Bool = false) {
      self.rows = rows
      self.start = start
      self.count = count
      self.follows = follows
    }
  }

  /// A question and the text typed so far.
  package struct Prompt: Sendable, Equatable {
    package enum Subject: Sendable {
      case workers, name, search
    }

    package var subject: Subject
    package var text = ""

    package init(_ subject: Subject, text: String = "") {
      self.subject = subject
      self.text = text
    }
  }
}
