internal import LiveTables
internal import Testing

@Suite("Recordings")
struct RecordingTests {
  private let rows = ["row-0", "", "with blanks ", "\\ back\nslash \\n"]

  private let entries: [Recording.Entry] = [
    .generation(number: 2, workers: 8),
    .edit(RecordedEdit(sequence: 1, worker: 3, index: 0, change: .insert("thread-3"))),
    .edit(RecordedEdit(sequence: 2, worker: 5, index: 1, change: .append("-5"))),
    .edit(RecordedEdit(sequence: 3, worker: nil, index: 4, change: .remove)),
    .generation(number: 3, workers: 0),
    .edit(RecordedEdit(sequence: 1, worker: 1, index: 0, change: .insert(""))),
  ]

  @Test("What is written is what is read")
  func roundTrip() throws {
    let text =
      Recording.head(seed: .max, initialRows: rows) + entries.map(Recording.line).joined()
      + Recording.end(count: 1, fingerprint: 0xABC)
    let recording = try Recording(parsing: text)
    #expect(recording.seed == .max)
    #expect(recording.entries.map(\.entry) == entries)
    #expect(recording.initialRows == rows)
    #expect(recording.entries.map(\.line) == [8, 9, 10, 11, 12, 13])
    #expect(recording.count == 1)
    #expect(recording.fingerprint == 0xABC)
  }

  @Test("The form is the documented one")
  func form() {
    let text =
      Recording.head(seed: 42, initialRows: ["row-0", "row-1"])
      + [
        .generation(number: 2, workers: 8),
        .edit(RecordedEdit(sequence: 1, worker: 3, index: 0, change: .insert("thread-3"))),
        .edit(RecordedEdit(sequence: 2, worker: 5, index: 1, change: .append("-5"))),
        .edit(RecordedEdit(sequence: 3, worker: nil, index: 0, change: .remove)),
      ].map(Recording.line).joined() + Recording.end(count: 2, fingerprint: 0x00F3_C9AB_12E4_7D60)
    #expect(
      text == """
        livetable 1
        seed 42
        rows 2
        row row-0
        row row-1
        generation 2 8
        1 insert 3 0 thread-3
        2 append 5 1 -5
        3 remove - 0
        end 2 00f3c9ab12e47d60

        """)
  }

  private static let head = "livetable 1\nseed 1\nrows 0\n"
  private static let generation = head + "generation 1 8\n"

  @Test(
    "What is malformed is said, with the number of its line",
    arguments: [
      ("", 1, "the record ends here; 'livetable 1' is missing"),
      ("{}", 1, "a record begins with 'livetable 1'"),
      ("livetable 1 2", 1, "a record begins with 'livetable 1'"),
      ("livetable 2\n", 1, "version 2 of the form is not known here, only 1"),
      ("livetable 1\nsneed 1\n", 2, "'seed' and a number belong here"),
      ("livetable 1\nseed x\n", 2, "'seed' and a number belong here"),
      ("livetable 1\nseed 1\n", 3, "the record ends here; 'rows' and a number is missing"),
      ("livetable 1\nseed 1\nrows -1\n", 3, "'rows' and a number belong here"),
      ("livetable 1\nseed 1\nrows 2\nrow a\n", 5, "the record ends here; 'row' and a text is missing"),
      (
        "livetable 1\nseed 1\nrows 2\nrow a\n1 remove 0 0\n", 5,
        "'row' and a text belong here: 2 in all, and there were 1"
      ),
      (head, 4, "the record ends here; 'end' is missing"),
      (head + "\n", 4, "nothing is on this line"),
      (head + "1 remove 0 0\n", 4, "edits belong behind a 'generation'"),
      (head + "generation 1\n", 4, "a generation is 'generation', its number and its workers"),
      (generation + "generation 3 8\n", 5, "generation 2 belongs here, not 3"),
      (generation + "x\n", 5, "'x' is neither a number, 'generation' nor 'end'"),
      (generation + "2 remove 0 0\n", 5, "edit 1 belongs here, not 2"),
      (
        generation + "1 delete 0 0\n", 5, "an edit is an 'insert', an 'append' or a 'remove', not 'delete'"
      ),
      (generation + "1 remove 0\n", 5, "'remove' needs the numbers of a worker and of a row"),
      (generation + "1 remove x 0\n", 5, "'remove' needs the numbers of a worker and of a row"),
      (generation + "1 insert 0 -1 a\n", 5, "'insert' needs the numbers of a worker and of a row"),
      (generation + "1 insert 0 0\n", 5, "'insert' needs a text"),
      (generation + "1 insert 0 0 a\\b\n", 5, "'insert' needs a text"),
      (generation + "1 remove 0 0 a\n", 5, "'remove' has no text"),
      (head + "end 0 12\n", 4, "the end is 'end', the number of rows and 16 hexadecimal digits"),
      (head + "end 0 000000000000000a\nend\n", 5, "nothing belongs behind the end"),
    ])
  func malformed(text: String, line: Int, message: String) {
    #expect(throws: RecordingError(line: line, message)) { try Recording(parsing: text) }
  }
}
