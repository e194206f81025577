internal import ViewModels

extension Session {
  /// Makes the edits of a record, in their generations.
  ///
  /// - Throws: What can't be done, with the number of its line.
  package func replay(_ recording: Recording) throws(RecordingError) {
    for (line, entry) in recording.entries.map({ ($0.line, $0.entry) }) {
      switch entry {
      case .generation:
        // The recorded run has told of all edits too.
        deliver()
        restart(workers: 0)
      case .edit(let edit):
        guard apply(RowCommand(edit)) else {
          throw RecordingError(line: line, "there is no row \(edit.index)")
        }
        // What waits takes memory, and the table has to be told of it sooner or later.
        if edit.sequence.isMultiple(of: 1_000) { deliver() }
      }
    }
  }
}

extension RowCommand {
  fileprivate init(_ edit: RecordedEdit) {
    let position = RowPosition.index(edit.index)
    self =
      switch edit.change {
      case .insert(let text): .insert(text, position)
      case .append(let text): .append(text, position)
      case .remove: .remove(position)
      }
  }
}
