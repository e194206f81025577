extension Frame {
  /// The characters without their styles: a line for each row, without trailing blanks.
  package var text: [String] {
    (0..<size.rows).map { row in
      let line = cells[row * size.columns..<(row + 1) * size.columns]
      let used = line.lastIndex { $0.character != " " }.map { $0 + 1 } ?? line.startIndex
      return String(line[..<used].compactMap(\.character))
    }
  }
}
