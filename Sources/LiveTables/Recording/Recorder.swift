package import Commands
internal import ViewModels

/// Writes each edit that the table is told of to a file.
///
/// The model tells of each edit alone, and of all of them: while it records, a session lets any number of them wait, and
/// delivers what waits before it starts again.
@MainActor
package final class Recorder {
  private let file: OutputFile
  /// What has not been written yet.
  private var text: String
  /// The rows before the next edit: what was added to a row is what it has more than before.
  private var rows: RowTree<Row> = []
  /// Why the file could not be written, when that was tried first.
  private var failure: FileFailure?

  /// Replaces what is in the file.
  package init(
    to file: consuming OutputFile, seed: UInt64, initialRows: [String]
  ) throws(FileFailure) {
    try file.clear()
    self.file = file
    text = Recording.head(seed: seed, initialRows: initialRows)
  }

  func begin(generation: Int, workers: Int, rows: RowsSnapshot) {
    self.rows = RowTree(rows)
    text += Recording.line(.generation(number: generation, workers: workers))
  }

  func record(_ notification: RowNotification) {
    let (index, row) = (notification.index, notification.row)
    let change: RecordedEdit.Change
    switch notification.change {
    case .inserted:
      rows.insert(row, at: index)
      change = .insert(row.text)
    case .removed:
      rows.remove(at: index)
      change = .remove
    case .modified:
      let old = rows.replace(at: index, with: row)
      change = .append(String(row.text.dropFirst(old.text.count)))
    }
    text += Recording.line(
      .edit(
        RecordedEdit(
          sequence: notification.sequence, worker: change.worker, index: index, change: change)))
  }

  /// Writes what was recorded so far.
  func flush() {
    guard failure == nil, !text.isEmpty else { return }
    do throws(FileFailure) {
      try file.append(text)
    } catch {
      failure = error
    }
    text = ""
  }

  /// Writes the end.
  ///
  /// - Throws: The first failure, also of an earlier `flush()`.
  package func finish(_ rows: Audit.Rows) throws(FileFailure) {
    text += Recording.end(count: rows.count, fingerprint: rows.fingerprint)
    flush()
    if let failure { throw failure }
  }
}

extension RecordedEdit.Change {
  /// Who made it: workers put in `thread-` and their number, and add a dash and their number.
  fileprivate var worker: Int? {
    switch self {
    case .insert(let text): text.hasPrefix("thread-") ? Int(text.dropFirst("thread-".count)) : nil
    case .append(let text): text.hasPrefix("-") ? Int(text.dropFirst()) : nil
    case .remove: nil
    }
  }
}
