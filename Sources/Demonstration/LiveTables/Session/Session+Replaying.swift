internal import ViewModels

extension Session {
  /// Makes the edits of a recording again, and restarts the model where the recorded run did.
  ///
  /// - Throws: An error for the first edit that can't be made, with its line number.
  package func replay(_ recording: Recording) throws(RecordingError) {
    for (entry, line) in recording.entries.enumerated() {
      let (sequence, index, command): (UInt64, Int, RowCommand)
      switch line {
      case .insert(let number, _, let row, let text):
        (sequence, index, command) = (number, row, .insert(text, .index(row)))
      case .append(let number, _, let row, let text):
        (sequence, index, command) = (number, row, .append(text, .index(row)))
      case .remove(let number, let row):
        (sequence, index, command) = (number, row, .remove(.index(row)))
      case .generation, .head, .end:
        // A restart drops edits that were not delivered. The recorded run delivered all edits before each
        // restart, so this run does the same.
        deliver()
        restart(workers: 0)
        continue
      }
      guard apply(command) else {
        throw RecordingError(line: Recording.line(ofEntry: entry), message: "there is no row \(index)")
      }
      // Deliver notifications every thousand edits, because they take memory until they are delivered.
      if sequence.isMultiple(of: 1_000) { deliver() }
    }
  }
}
