package import Commands

/// All edits of a run, in the order in which they were made.
///
/// A run consists of generations: each restart puts back the initial rows and begins another generation.
///
/// # File format
/// Each line is a JSON object with one member, a `Line`:
///
/// ```
/// {"head":{"rows":["row-0","row-1"],"seed":42,"version":2}}
/// {"generation":{"number":1,"workers":8}}
/// {"insert":{"index":0,"sequence":1,"text":"thread-3","worker":3}}
/// {"append":{"index":1,"sequence":2,"text":"-5","worker":5}}
/// {"remove":{"index":0,"sequence":3}}
/// {"end":{"count":2,"fingerprint":68620155934244192}}
/// ```
package struct Recording: Sendable, Equatable {
  /// A line of the file.
  ///
  /// An edit has the index of its row, and a sequence number, which is 1 for the first edit after a restart.
  /// `worker` is the number of the worker that wrote the text; `nil` if the text names no worker.
  package enum Line: Sendable, Equatable, Codable {
    /// The first line.
    ///
    /// `rows` are the texts of the initial rows, which each restart puts back.
    case head(version: Int, seed: UInt64, rows: [String])
    /// The beginning of a generation.
    case generation(number: Int, workers: Int)
    /// A row with this text was inserted.
    case insert(sequence: UInt64, worker: Int?, index: Int, text: String)
    /// `text` was appended to the text of a row.
    case append(sequence: UInt64, worker: Int?, index: Int, text: String)
    /// A row was removed.
    case remove(sequence: UInt64, index: Int)
    /// The last line: the number of rows at the end, and their fingerprint.
    case end(count: Int, fingerprint: UInt64)
  }

  package static let version = 2

  package private(set) var seed: UInt64 = 0
  /// The texts of the initial rows, which each restart puts back.
  package private(set) var initialRows: [String] = []
  /// The edits and the restarts: all lines except for the first and the last.
  package private(set) var entries: [Line] = []
  /// The number of rows at the end.
  package private(set) var count = 0
  /// The fingerprint of the rows at the end.
  package private(set) var fingerprint: UInt64 = 0

  /// The number of the line in the file that contains `entries[index]`; the first line has the number 1.
  package static func line(ofEntry index: Int) -> Int { index + 2 }

  /// Encodes lines for a file.
  package static func text(_ lines: [Line]) throws(FileFailure) -> String {
    var text = ""
    for line in lines {
      text += try JSON.line(line)
    }
    return text
  }

  /// Formats a 64-bit number with 16 hexadecimal digits.
  package static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// An error in the file of a recording, and the line that contains it.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
  /// The number of the line, counted from 1.
  package let line: Int
  package let message: String

  package var description: String { "line \(line): \(message)" }
}

extension Recording {
  /// Parses a recording.
  package init(parsing text: String) throws(RecordingError) {
    self.init()
    var generation: Int?
    var sequence: UInt64 = 0
    var number = 0
    var hasEnded = false
    func failure(_ message: String) -> RecordingError { RecordingError(line: number, message: message) }

    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // If the text ends with a line break, the last part of the split is empty. That part is not a line.
    if lines.last?.isEmpty == true { lines.removeLast() }
    for text in lines {
      number += 1
      let line: Line
      do {
        line = try JSON.value(Line.self, of: String(Substring(text)))
      } catch {
        throw failure("\(error)")
      }
      if case .head = line {} else if number == 1 { throw failure("a record begins with a 'head'") }
      if hasEnded { throw failure("nothing belongs behind the 'end'") }
      switch line {
      case .head(let version, let seed, let rows):
        guard number == 1 else { throw failure("a 'head' belongs on the first line") }
        guard version == Self.version else {
          throw failure("version \(version) of the form is not known here, only \(Self.version)")
        }
        (self.seed, initialRows) = (seed, rows)
      case .generation(let number, _):
        guard (1..<Int.max).contains(number) else { throw failure("there is no generation \(number)") }
        if let generation, number != generation + 1 {
          throw failure("generation \(generation + 1) belongs here, not \(number)")
        }
        (generation, sequence) = (number, 0)
        entries.append(line)
      case .insert(let edit, _, let index, _), .append(let edit, _, let index, _),
        .remove(let edit, let index):
        guard generation != nil else { throw failure("edits belong behind a 'generation'") }
        sequence += 1
        guard edit == sequence else { throw failure("edit \(sequence) belongs here, not \(edit)") }
        guard index >= 0 else { throw failure("there is no row \(index)") }
        entries.append(line)
      case .end(let count, let fingerprint):
        (self.count, self.fingerprint) = (count, fingerprint)
        hasEnded = true
      }
    }
    number += 1
    guard hasEnded else { throw failure("the record ends here, without an 'end'") }
  }
}
