internal import RowTrees
package import Commands
internal import ViewModels

/// Writes a recording: receives the notifications of all edits of a run, and writes the edits to a file.
///
/// A recording must have every edit. While a run is recorded, its `Session` therefore does not limit the
/// number of waiting notifications, and delivers all of them before it restarts the model.
@MainActor
package final class Recorder {
  private let file: OutputFile
  /// The lines that have not been written yet.
  private var lines: [Recording.Line]
  /// The rows after the last recorded edit.
  ///
  /// When a modification is recorded, its row still has the old text here. The old text is needed to find the
  /// text that was appended.
  private var rows: RowTree<Row> = []
  /// The first failure to write.
  private(set) var failure: FileFailure?

  /// Begins a recording, and removes the old contents of the file.
  package init(to file: consuming OutputFile, seed: UInt64, initialRows: [String]) throws(FileFailure) {
    try file.clear()
    self.file = file
    lines = [.head(version: Recording.version, seed: seed, rows: initialRows)]
  }

  func begin(generation: Int, workers: Int, rows: RowsSnapshot) {
    self.rows = RowTree(rows)
    lines.append(.generation(number: generation, workers: workers))
  }

  func record(_ notification: RowNotification) {
    let (sequence, index, row) = (notification.sequence, notification.index, notification.row)
    switch notification.change {
    case .inserted:
      rows.insert(row, at: index)
      let worker = Self.worker("thread-", in: row.text)
      lines.append(.insert(sequence: sequence, worker: worker, index: index, text: row.text))
    case .removed:
      rows.remove(at: index)
      lines.append(.remove(sequence: sequence, index: index))
    case .modified:
      let old = rows.replace(at: index, with: row)
      let text = Self.text(appendedTo: old.text, in: row.text)
      let worker = Self.worker("-", in: text)
      lines.append(.append(sequence: sequence, worker: worker, index: index, text: text))
    }
  }

  /// Returns the part of `new` after `old`; `new` must begin with the scalars of `old`.
  ///
  /// The result may begin in the middle of a character of `new`: an appended combining mark joins the last
  /// character of `old`.
  nonisolated static func text(appendedTo old: String, in new: String) -> String {
    String(String.UnicodeScalarView(new.unicodeScalars.dropFirst(old.unicodeScalars.count)))
  }

  /// The number of the worker that wrote `text`; `nil` if `text` does not consist of `prefix` and a number.
  ///
  /// Worker 5, for example, inserts rows with the text "thread-5", and appends "-5" to rows.
  private static func worker(_ prefix: String, in text: String) -> Int? {
    text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
  }

  /// Writes the recorded lines to the file.
  ///
  /// The first failure is stored in `failure`; after that, nothing is written.
  func flush() {
    guard failure == nil, !lines.isEmpty else { return }
    do throws(FileFailure) {
      try file.append(try Recording.text(lines))
    } catch {
      failure = error
    }
    lines = []
  }

  /// Writes the remaining lines of the recording, and its last line.
  ///
  /// - Parameter rows: The count and the fingerprint of the rows at the end, which the last line contains.
  /// - Throws: The first failure to write, also one that happened in an earlier `flush()`.
  package func finish(_ rows: Audit.Rows) throws(FileFailure) {
    lines.append(.end(count: rows.count, fingerprint: rows.fingerprint))
    flush()
    if let failure { throw failure }
  }
}
