internal import LiveTables
internal import Testing

@Suite("Keys")
struct KeyParserTests {
  private func keys(_ text: String) -> [Key] {
    var parser = KeyParser()
    return parser.parse(text.utf8)
  }

  @Test("Characters, also those of several bytes")
  func characters() {
    #expect(keys("q+é🔒") == [.character("q"), .character("+"), .character("é"), .character("🔒")])
  }

  @Test("Keys with a name")
  func named() {
    #expect(keys("\r\n\u{7F}\u{08}") == [.enter, .enter, .backspace, .backspace])
    #expect(
      keys("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~")
        == [.up, .down, .up, .pageUp, .pageDown, .home, .end, .home, .end])
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}x") == [.escape, .character("x")])
  }

  @Test("Unknown sequences are skipped", arguments: ["\u{1B}[3~q", "\u{1B}[1;5Cq", "\u{1}\u{2}q"])
  func unknown(text: String) {
    #expect(keys(text) == [.character("q")])
  }

  @Test("Bytes that are no text are skipped")
  func noText() {
    var parser = KeyParser()
    #expect(parser.parse([0xFF, 0x80, 0xC3, 0x41, 0x71]) == [.character("A"), .character("q")])
  }

  @Test("A key may arrive in pieces")
  func pieces() {
    var parser = KeyParser()
    #expect(parser.parse([0x1B, 0x5B]).isEmpty)
    #expect(parser.parse([0x35]).isEmpty)
    #expect(parser.parse([0x7E, 0xC3]) == [.pageUp])
    #expect(parser.parse([0xA9]) == [.character("é")])
  }

  @Test("A sequence without an end is given up")
  func endless() {
    var parser = KeyParser()
    #expect(parser.parse([0x1B, 0x5B] + Array(repeating: 0x31, count: 20)).isEmpty)
    #expect(parser.parse([0x71]) == [.character("q")])
  }
}
