/// What is wrong with a record, and where.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int
  package let message: String

  package init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

extension Recording {
  /// Reads the text of a record.
  package init(parsing text: String) throws(RecordingError) {
    var parser = RecordingParser(text)
    self = try parser.parse()
  }
}

/// Reads a record line by line.
private struct RecordingParser {
  private let lines: [Substring]
  /// How many have been read; the number of the present one.
  private var line = 0

  init(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line has an end too, so that what is behind it is no line.
    lines = parts.dropLast(parts.last?.isEmpty == true ? 1 : 0).map { Substring($0) }
  }

  mutating func parse() throws(RecordingError) -> Recording {
    var words = try nextLine("'livetable \(Recording.version)'")
    guard words.next() == "livetable", let version: Int = words.number(), words.isAtEnd else {
      throw failure("a record begins with 'livetable \(Recording.version)'")
    }
    guard version == Recording.version else {
      throw failure("version \(version) of the form is not known here, only \(Recording.version)")
    }
    words = try nextLine("'seed' and a number")
    guard words.next() == "seed", let seed: UInt64 = words.number(), words.isAtEnd else {
      throw failure("'seed' and a number belong here")
    }

    let initialRows = try initialRows()

    var entries: [Recording.NumberedEntry] = []
    var generation: Int?
    var sequence: UInt64 = 0
    while true {
      var words = try nextLine("'end'")
      switch words.next() {
      case "generation"?:
        let (number, workers) = try self.generation(&words, after: generation)
        entries.append(.init(line: line, entry: .generation(number: number, workers: workers)))
        (generation, sequence) = (number, 0)
      case "end"?:
        let end = try end(&words)
        guard line == lines.count else {
          line += 1
          throw failure("nothing belongs behind the end")
        }
        return Recording(
          seed: seed, initialRows: initialRows, entries: entries, count: end.count,
          fingerprint: end.fingerprint)
      case let word?:
        guard generation != nil else { throw failure("edits belong behind a 'generation'") }
        sequence += 1
        entries.append(.init(line: line, entry: .edit(try edit(word, &words, sequence: sequence))))
      case nil:
        throw failure("nothing is on this line")
      }
    }
  }

  private mutating func initialRows() throws(RecordingError) -> [String] {
    var words = try nextLine("'rows' and a number")
    guard words.next() == "rows", let count: Int = words.number(), count >= 0, words.isAtEnd else {
      throw failure("'rows' and a number belong here")
    }
    var rows: [String] = []
    for _ in 0..<count {
      var words = try nextLine("'row' and a text")
      guard words.next() == "row", let text = words.text() else {
        throw failure("'row' and a text belong here: \(count) in all, and there were \(rows.count)")
      }
      rows.append(text)
    }
    return rows
  }

  private func generation(
    _ words: inout Words, after last: Int?
  ) throws(RecordingError) -> (number: Int, workers: Int) {
    guard let number: Int = words.number(), let workers: Int = words.number(), words.isAtEnd else {
      throw failure("a generation is 'generation', its number and its workers")
    }
    if let last, number != last + 1 { throw failure("generation \(last + 1) belongs here, not \(number)") }
    return (number, workers)
  }

  private func edit(
    _ first: Substring, _ words: inout Words, sequence: UInt64
  ) throws(RecordingError) -> RecordedEdit {
    guard let number = UInt64(first) else {
      throw failure("'\(first)' is neither a number, 'generation' nor 'end'")
    }
    guard number == sequence else { throw failure("edit \(sequence) belongs here, not \(number)") }
    let verb = words.next() ?? ""
    guard ["insert", "append", "remove"].contains(verb) else {
      throw failure("an edit is an 'insert', an 'append' or a 'remove', not '\(verb)'")
    }
    guard let name = words.next(), name == "-" || Int(name) != nil, let index: Int = words.number(),
      index >= 0
    else { throw failure("'\(verb)' needs the numbers of a worker and of a row") }
    let change: RecordedEdit.Change
    if verb == "remove" {
      guard words.isAtEnd else { throw failure("'remove' has no text") }
      change = .remove
    } else {
      guard let text = words.text() else { throw failure("'\(verb)' needs a text") }
      change = verb == "insert" ? .insert(text) : .append(text)
    }
    return RecordedEdit(sequence: number, worker: Int(name), index: index, change: change)
  }

  private func end(_ words: inout Words) throws(RecordingError) -> (count: Int, fingerprint: UInt64) {
    guard let count: Int = words.number(), let digits = words.next(), digits.utf8.count == 16,
      let fingerprint = UInt64(digits, radix: 16), words.isAtEnd
    else { throw failure("the end is 'end', the number of rows and 16 hexadecimal digits") }
    return (count, fingerprint)
  }

  private mutating func nextLine(_ expected: String) throws(RecordingError) -> Words {
    line += 1
    guard line <= lines.count else { throw failure("the record ends here; \(expected) is missing") }
    return Words(rest: lines[line - 1])
  }

  private func failure(_ message: String) -> RecordingError {
    RecordingError(line: line, message)
  }
}

/// The words of a line, one after another.
private struct Words {
  /// What has not been read; `nil` behind the last word.
  var rest: Substring?

  var isAtEnd: Bool { rest == nil }

  mutating func next() -> Substring? {
    guard let text = rest, !text.isEmpty else { return nil }
    guard let blank = text.utf8.firstIndex(of: UInt8(ascii: " ")) else {
      rest = nil
      return text
    }
    rest = text[text.utf8.index(after: blank)...]
    return text[..<blank]
  }

  mutating func number<Number: FixedWidthInteger>() -> Number? {
    next().flatMap { Number($0) }
  }

  /// All that is left, without its escapes; `nil` where there is no text, or an escape that means nothing.
  mutating func text() -> String? {
    guard let text = rest else { return nil }
    rest = nil
    guard text.utf8.contains(0x5C) else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      switch (isEscaped, character) {
      case (false, "\\"):
        isEscaped = true
        continue
      case (true, "n"): result.append("\n")
      case (true, "\\"): result.append("\\")
      case (true, _): return nil
      case (false, _): result.append(character)
      }
      isEscaped = false
    }
    return isEscaped ? nil : result
  }
}
