internal import BenchmarkHarness
internal import Testing

@Suite("Text table")
struct TextTableTests {
  @Test("Names are flush left, figures flush right, groups under their titles")
  func groups() {
    var table = TextTable([
      TextTable.ColumnGroup("read", columns: ["ns", "±"]),
      TextTable.ColumnGroup("a long title", columns: ["x"]),
    ])
    table.addRow("lock", ["1.5", "±3%", "1"])
    table.addRow("another", ["12", "–", "22"])
    #expect(
      table.lines == [
        "             read   a long title",
        "           ns   ±              x",
        "lock      1.5 ±3%              1",
        "another    12   –             22",
      ])
  }

  @Test("Without titles there are no lines for them, and no spaces at the ends")
  func untitled() {
    var table = TextTable([TextTable.ColumnGroup("", columns: ["", ""])])
    table.addRow("a", ["1", ""])
    #expect(table.lines == ["a   1"])
  }
}
