/// All edits of a run, in the order in which they were made.
///
/// # The form of the file
/// Lines of words with a blank between them. A text takes the rest of its line; in it, `\n` is a line's end and `\\` a
/// backslash.
///
/// ```
/// livetable 1                    the form's version
/// seed 42                        what the workers' choices came from
/// generation 1 8 2               a generation: its number, its workers, how many rows it begins with;
/// row thread-0                   these are they
/// row thread-1
/// 1 insert 3 0 thread-3          an edit: its number in the generation, what, by which worker, at which index,
/// 2 append 5 1 -5                and the text that was put in or added
/// 3 remove 3 0
/// end 2 00f3c9ab12e47d60         the rows at the end: how many, and their fingerprint
/// ```
package struct Recording: Sendable, Equatable {
  /// A line, understood.
  package enum Entry: Sendable, Equatable {
    case generation(number: Int, workers: Int, rows: [String])
    case edit(RecordedEdit)
  }

  /// An entry, and the number of its line.
  package struct NumberedEntry: Sendable, Equatable {
    package var line: Int
    package var entry: Entry
  }

  package static let version = 1

  package let seed: UInt64
  package let entries: [NumberedEntry]
  /// How many rows there are at the end.
  package let count: Int
  /// Their fingerprint.
  package let fingerprint: UInt64

  // MARK: Writing

  /// The first lines.
  package static func head(seed: UInt64) -> String {
    "livetable \(version)\nseed \(seed)\n"
  }

  package static func line(_ entry: Entry) -> String {
    switch entry {
    case .generation(let number, let workers, let rows):
      "generation \(number) \(workers) \(rows.count)\n" + rows.map { "row \(escaped($0))\n" }.joined()
    case .edit(let edit):
      switch edit.change {
      case .insert(let text): "\(edit.sequence) insert \(edit.worker) \(edit.index) \(escaped(text))\n"
      case .append(let text): "\(edit.sequence) append \(edit.worker) \(edit.index) \(escaped(text))\n"
      case .remove: "\(edit.sequence) remove \(edit.worker) \(edit.index)\n"
      }
    }
  }

  /// The last line.
  package static func end(count: Int, fingerprint: UInt64) -> String {
    "end \(count) \(hexadecimal(fingerprint))\n"
  }

  /// All of 64 bits, in 16 digits.
  package static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A }) else { return text }
    return text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
  }
}
