internal import BenchmarkHarness
internal import Testing

@Suite("Text bar")
struct TextBarTests {
  @Test("A lying bar is as long as its share, to an eighth of a character, and always takes its width")
  func lying() {
    #expect(TextBar.lying(4, of: 4, width: 4) == "████")
    #expect(TextBar.lying(2, of: 4, width: 4) == "██  ")
    #expect(TextBar.lying(0.5, of: 4, width: 4) == "▌   ")
    #expect(TextBar.lying(0, of: 4, width: 4) == "    ")
    #expect(TextBar.lying(.nan, of: 4, width: 4) == "    ")
    #expect(TextBar.lying(1, of: 0, width: 4) == "    ")
  }

  @Test("A bar that would be longer shows that it is cut")
  func cut() {
    #expect(TextBar.lying(5, of: 4, width: 4) == "███▸")
  }

  @Test("A standing bar has eight heights")
  func standing() {
    #expect([0, 1, 4, 7, 8, 9].map { TextBar.standing($0, of: 8) } == ["▁", "▂", "▅", "█", "█", "█"])
    #expect(TextBar.standing(.infinity, of: 8) == " ")
  }
}
