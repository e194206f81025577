package import Commands
internal import ViewModels

/// Writes each edit that the table is notified of to a file.
///
/// The model notifies of every edit while it records: a session lets any number of notifications wait, and
/// delivers them before it starts again.
@MainActor
package final class Recorder {
  private let file: OutputFile
  /// The lines that have not been written yet.
  private var lines: [Recording.Line]
  /// The rows before the next edit: the text that was added to a row is what is longer than before.
  private var rows: RowTree<Row> = []
  /// Why the first write that failed did so.
  private(set) var failure: FileFailure?

  /// Replaces the contents of the file.
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
      let text = String(row.text.dropFirst(old.text.count))
      let worker = Self.worker("-", in: text)
      lines.append(.append(sequence: sequence, worker: worker, index: index, text: text))
    }
  }

  /// The worker that wrote a text: workers insert `thread-` and their number, and append a dash and their
  /// number.
  private static func worker(_ prefix: String, in text: String) -> Int? {
    text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
  }

  /// Writes what was recorded so far.
  func flush() {
    guard failure == nil, !lines.isEmpty else { return }
    do throws(FileFailure) {
      try file.append(try Recording.text(lines))
    } catch {
      failure = error
    }
    lines = []
  }

  /// Writes the end.
  ///
  /// - Throws: The first failure, also of an earlier `flush()`.
  package func finish(_ rows: Audit.Rows) throws(FileFailure) {
    lines.append(.end(count: rows.count, fingerprint: rows.fingerprint))
    flush()
    if let failure { throw failure }
  }
}
