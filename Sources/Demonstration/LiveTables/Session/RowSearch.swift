internal import Snapshots
internal import ViewModels

/// A search for the rows that contain a text; it is repeated when the rows have changed.
@MainActor
final class RowSearch {
  /// The text to find.
  let text: String
  private let rows: Snapshot<RowsSnapshot>
  /// The indices of the rows that the last completed search has found; `nil` until a search has completed.
  private(set) var found: [Int]?
  /// Whether the user wants to see the first row that is found.
  var isToShow = false
  private var task: Task<Void, Never>?
  /// The number of edits that were delivered before the latest search began; `nil` before the first search.
  private var edits: Int?

  init(_ text: String, in rows: Snapshot<RowsSnapshot>) {
    self.text = text
    self.rows = rows
  }

  /// Begins to search the newest rows in the background.
  ///
  /// Does nothing while a search is running, or if the rows have not changed since the latest search.
  ///
  /// - Parameter edits: The number of edits that have been delivered, which shows whether the rows have
  ///   changed.
  func look(after edits: Int) {
    guard task == nil, edits != self.edits else { return }
    self.edits = edits
    task = Task { [weak self, text, rows] in
      let found = await rows.current.search(for: text)
      guard let self, let found else { return }
      self.found = found
      task = nil
    }
  }

  /// Cancels the running search, so that no thread looks at further rows.
  func cancel() {
    task?.cancel()
  }

  /// The result, in words for the user.
  var summary: String {
    guard let found else { return "searching ..." }
    guard let first = found.first else { return "not found" }
    return "found \(found.count == 1 ? "1 row" : "\(found.count) rows"), the first at \(first + 1)"
  }
}
