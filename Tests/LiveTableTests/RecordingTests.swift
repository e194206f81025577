internal import LiveTables
internal import Testing

@Suite("Recordings")
struct RecordingTests {
  private let entries: [Recording.Entry] = [
    .generation(number: 1, workers: 8, rows: ["thread-0", "", "with blanks ", "\\ back\nslash \\n"]),
    .edit(RecordedEdit(sequence: 1, worker: 3, index: 0, change: .insert("thread-3"))),
    .edit(RecordedEdit(sequence: 2, worker: 5, index: 1, change: .append("-5"))),
    .edit(RecordedEdit(sequence: 3, worker: 3, index: 4, change: .remove)),
    .generation(number: 2, workers: 0, rows: []),
    .edit(RecordedEdit(sequence: 1, worker: 1, index: 0, change: .insert(""))),
  ]

  @Test("What is written is what is read")
  func roundTrip() throws {
    let text =
      Recording.head(seed: .max) + entries.map(Recording.line).joined()
      + Recording.end(count: 1, fingerprint: 0xABC)
    let recording = try Recording(parsing: text)
    #expect(recording.seed == .max)
    #expect(recording.entries.map(\.entry) == entries)
    #expect(recording.entries.map(\.line) == [3, 8, 9, 10, 11, 12])
    #expect(recording.count == 1)
    #expect(recording.fingerprint == 0xABC)
  }

  @Test("The form is the documented one")
  func form() {
    let text =
      Recording.head(seed: 42)
      + [
        .generation(number: 1, workers: 8, rows: ["thread-0", "thread-1"]),
        .edit(RecordedEdit(sequence: 1, worker: 3, index: 0, change: .insert("thread-3"))),
        .edit(RecordedEdit(sequence: 2, worker: 5, index: 1, change: .append("-5"))),
        .edit(RecordedEdit(sequence: 3, worker: 3, index: 0, change: .remove)),
      ].map(Recording.line).joined() + Recording.end(count: 2, fingerprint: 0x00F3_C9AB_12E4_7D60)
    #expect(
      text == """
        livetable 1
        seed 42
        generation 1 8 2
        row thread-0
        row thread-1
        1 insert 3 0 thread-3
        2 append 5 1 -5
        3 remove 3 0
        end 2 00f3c9ab12e47d60

        """)
  }

  private static let head = "livetable 1\nseed 1\n"

  @Test(
    "What is malformed is said, with the number of its line",
    arguments: [
      ("", 1, "the record ends here; 'livetable 1' is missing"),
      ("{}", 1, "a record begins with 'livetable 1'"),
      ("livetable 1 2", 1, "a record begins with 'livetable 1'"),
      ("livetable 2\n", 1, "version 2 of the form is not known here, only 1"),
      ("livetable 1\nsneed 1\n", 2, "'seed' and a number belong here"),
      ("livetable 1\nseed x\n", 2, "'seed' and a number belong here"),
      (head, 3, "the record ends here; 'end' is missing"),
      (head + "\n", 3, "nothing is on this line"),
      (head + "1 remove 0 0\n", 3, "edits belong behind a 'generation'"),
      (
        head + "generation 1 8\n", 3,
        "a generation is 'generation', its number, its workers and how many rows it begins with"
      ),
      (head + "generation 1 8 2\nrow a\n", 5, "the record ends here; 'row' and a text is missing"),
      (
        head + "generation 1 8 2\nrow a\n1 remove 0 0\n", 5,
        "'row' and a text belong here: 2 in all, and these are 1"
      ),
      (head + "generation 1 8 0\nx\n", 4, "'x' is neither a number, 'generation' nor 'end'"),
      (head + "generation 1 8 0\n2 remove 0 0\n", 4, "edit 1 belongs here, not 2"),
      (
        head + "generation 1 8 0\n1 delete 0 0\n", 4,
        "an edit is an 'insert', an 'append' or a 'remove', not 'delete'"
      ),
      (
        head + "generation 1 8 0\n1 remove 0\n", 4, "'remove' needs the numbers of a worker and of a row"
      ),
      (
        head + "generation 1 8 0\n1 insert 0 -1 a\n", 4,
        "'insert' needs the numbers of a worker and of a row"
      ),
      (head + "generation 1 8 0\n1 insert 0 0\n", 4, "'insert' needs a text"),
      (head + "generation 1 8 0\n1 insert 0 0 a\\b\n", 4, "'insert' needs a text"),
      (head + "generation 1 8 0\n1 remove 0 0 a\n", 4, "'remove' has no text"),
      (head + "end 0 12\n", 3, "the end is 'end', the number of rows and 16 hexadecimal digits"),
      (head + "end 0 000000000000000a\nend\n", 4, "nothing belongs behind the end"),
    ])
  func malformed(text: String, line: Int, message: String) {
    #expect(throws: RecordingError(line: line, message)) { try Recording(parsing: text) }
  }
}
