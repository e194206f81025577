@testable import LiveTables
internal import Testing

@Suite("Recordings")
struct RecordingTests {
  @Test("A recording that is read equals the written one")
  func roundTrip() throws {
    let rows = ["row-0", "", "with blanks ", "\\ back\nslash \\n"]
    let entries: [Recording.Line] = [
      .generation(number: 2, workers: 8), .insert(sequence: 1, worker: 3, index: 0, text: "thread-3"),
      .append(sequence: 2, worker: nil, index: 1, text: "-5\r\n"), .remove(sequence: 3, index: 4),
      .generation(number: 3, workers: 0), .insert(sequence: 1, worker: 1, index: 0, text: ""),
    ]
    let head = Recording.Line.head(version: Recording.version, seed: .max, rows: rows)
    let text = try Recording.text([head] + entries + [.end(count: 1, fingerprint: .max)])
    let recording = try Recording(parsing: text)
    #expect(recording.seed == .max)
    #expect(recording.initialRows == rows)
    #expect(recording.entries == entries)
    #expect(recording.count == 1)
    #expect(recording.fingerprint == .max)
    #expect(text.split(separator: "\n")[Recording.line(ofEntry: 3) - 1].contains("remove"))
  }

  @Test(
    "An appended text is recorded in whole, even if it joins the last character",
    arguments: ["\u{301}", "\u{301}-5", "-5", "\n", "\u{1F1EA}", ""])
  func appendedText(appended: String) throws {
    for old in ["e", "", "a\r", "\u{1F1E9}", "e\u{301}"] {
      let text = Recorder.text(appendedTo: old, in: old + appended)
      // Scalars are compared, because strings are also equal if only one of them has composed characters.
      #expect(Array(text.unicodeScalars) == Array(appended.unicodeScalars))
      let lines = [Recording.Line.append(sequence: 1, worker: nil, index: 0, text: text)]
      let recording = try Recording(
        parsing: Self.generation + Recording.text(lines) + Self.end)
      #expect(recording.entries.last == lines[0])
    }
  }

  @Test("The form is the documented one")
  func form() throws {
    let text = try Recording.text([
      .head(version: Recording.version, seed: 42, rows: ["row-0", "row-1"]),
      .generation(number: 2, workers: 8), .insert(sequence: 1, worker: 3, index: 0, text: "thread-3"),
      .append(sequence: 2, worker: 5, index: 1, text: "-5"), .remove(sequence: 3, index: 0),
      .end(count: 2, fingerprint: 0x00F3_C9AB_12E4_7D60),
    ])
    #expect(
      text == """
        {"head":{"rows":["row-0","row-1"],"seed":42,"version":2}}
        {"generation":{"number":2,"workers":8}}
        {"insert":{"index":0,"sequence":1,"text":"thread-3","worker":3}}
        {"append":{"index":1,"sequence":2,"text":"-5","worker":5}}
        {"remove":{"index":0,"sequence":3}}
        {"end":{"count":2,"fingerprint":68620155934244192}}

        """)
  }

  private static let head = #"{"head":{"version":2,"seed":1,"rows":[]}}"# + "\n"
  private static let generation = head + #"{"generation":{"number":1,"workers":8}}"# + "\n"
  private static let end = #"{"end":{"count":0,"fingerprint":10}}"# + "\n"

  @Test(
    "A malformed line is reported with its number",
    arguments: [
      ("", 1, "the record ends here, without an 'end'"),
      ("livetable 1\n", 1, "no JSON: Invalid value around character 0."),
      ("[]\n", 1, "'' is of another kind"),
      (end, 1, "a record begins with a 'head'"),
      (
        #"{"head":{"version":3,"seed":1,"rows":[]}}"#, 1,
        "version 3 of the form is not known here, only 2"
      ),
      (#"{"head":{"version":2,"rows":[]}}"#, 1, "no 'seed' in 'head'"),
      (#"{"head":{"version":2,"seed":1,"rows":[1]}}"#, 1, "'head.rows.0' is of another kind"),
      (head, 2, "the record ends here, without an 'end'"),
      (head + head, 2, "a 'head' belongs on the first line"),
      (head + "\n", 2, "no JSON: Unexpected end of file during JSON parse."),
      (head + #"{"remove":{"sequence":1,"index":0}}"#, 2, "edits belong behind a 'generation'"),
      (head + #"{"generation":{"number":1}}"#, 2, "no 'workers' in 'generation'"),
      (generation + #"{"generation":{"number":3,"workers":8}}"#, 3, "generation 2 belongs here, not 3"),
      (
        head + #"{"generation":{"number":9223372036854775807,"workers":8}}"#, 2,
        "there is no generation 9223372036854775807"
      ),
      (head + #"{"generation":{"number":0,"workers":8}}"#, 2, "there is no generation 0"),
      (generation + #"{"remove":{"sequence":2,"index":0}}"#, 3, "edit 1 belongs here, not 2"),
      (generation + #"{"delete":{"sequence":1,"index":0}}"#, 3, "'' is of another kind"),
      (generation + #"{"remove":{"sequence":1,"index":-1}}"#, 3, "there is no row -1"),
      (
        generation + #"{"insert":{"sequence":1,"worker":"x","index":0,"text":""}}"#, 3,
        "'insert.worker' is of another kind"
      ),
      (
        generation + #"{"insert":{"sequence":1,"worker":0,"index":0}}"#, 3, "no 'text' in 'insert'"
      ),
      (head + #"{"end":{"count":0}}"#, 2, "no 'fingerprint' in 'end'"),
      (head + end + end, 3, "nothing belongs behind the 'end'"),
    ])
  func malformed(text: String, line: Int, message: String) {
    #expect(throws: RecordingError(line: line, message: message)) { try Recording(parsing: text) }
  }
}
