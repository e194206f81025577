/// All edits of a run, in the order in which they were made.
///
/// # The form of the file
/// Lines of words with a blank between them. A text takes the rest of its line; in it, `\n` is a line's end and `\\` a
/// backslash.
///
/// ```
/// livetable 1                    the form's version
/// seed 42                        what the workers' choices came from
/// rows 2                         how many rows each generation begins with; these are they
/// row row-0
/// row row-1
/// generation 2 8                 a generation: its number and its workers
/// 1 insert 3 0 thread-3          an edit: its number in the generation, what, by which worker, at which index,
/// 2 append 5 1 -5                and the text that was put in or added
/// 3 remove - 0                   who has taken a row out is not known
/// end 2 00f3c9ab12e47d60         the rows at the end: how many, and their fingerprint
/// ```
package struct Recording: Sendable, Equatable {
  /// A line, understood.
  package enum Entry: Sendable, Equatable {
    case generation(number: Int, workers: Int)
    case edit(RecordedEdit)
  }

  /// An entry, and the number of its line.
  package struct NumberedEntry: Sendable, Equatable {
    package var line: Int
    package var entry: Entry
  }

  package static let version = 1

  package let seed: UInt64
  /// The texts of the rows that each generation begins with.
  package let initialRows: [String]
  package let entries: [NumberedEntry]
  /// How many rows there are at the end.
  package let count: Int
  /// Their fingerprint.
  package let fingerprint: UInt64

  // MARK: Writing

  /// The first lines.
  package static func head(seed: UInt64, initialRows: [String]) -> String {
    "livetable \(version)\nseed \(seed)\nrows \(initialRows.count)\n"
      + initialRows.map { "row \(escaped($0))\n" }.joined()
  }

  package static func line(_ entry: Entry) -> String {
    switch entry {
    case .generation(let number, let workers):
      return "generation \(number) \(workers)\n"
    case .edit(let edit):
      let worker = edit.worker.map(String.init) ?? "-"
      switch edit.change {
      case .insert(let text): return "\(edit.sequence) insert \(worker) \(edit.index) \(escaped(text))\n"
      case .append(let text): return "\(edit.sequence) append \(worker) \(edit.index) \(escaped(text))\n"
      case .remove: return "\(edit.sequence) remove \(worker) \(edit.index)\n"
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
