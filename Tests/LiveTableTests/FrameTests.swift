internal import CPseudoTerminal
@testable import LiveTables
internal import TestSupport
internal import Testing

@Suite("Frames")
struct FrameTests {
  private let size = Size(columns: 6, rows: 3)

  @Test("Lines are cut off at the size, and may be fewer")
  func clipping() {
    #expect(Frame([Line("abcdefgh"), Line("b")], size: size).text == ["abcdef", "b", ""])
    #expect(Frame(["a", "b", "c", "d"].map { Line($0) }, size: size).text == ["a", "b", "c"])
    var line = Line("abcd")
    line.append("efgh", .bold)
    line.append("ijk")
    #expect(Frame([line], size: size).text[0] == "abcdef")
    #expect(Frame([Line("a")], size: Size(columns: 0, rows: 2)).text == ["", ""])
    #expect(Frame([Line("a")], size: Size(columns: 2, rows: 0)).text == [])
  }

  @Test("Characters that a terminal would obey are not passed on")
  func controlCharacters() {
    let frame = Frame([Line("a\u{1B}[\u{7F}\u{9B}\n")], size: size)
    #expect(frame.text[0] == "a?[???")
  }

  @Test("A wide character takes two cells, and one without a width is replaced")
  func wideCharacters() {
    #expect(Frame([Line("a世b界cd")], size: size).text[0] == "a世b界")
    // A wide character is not shown if only half of it fits.
    #expect(Frame([Line("世界a世")], size: Size(columns: 6, rows: 1)).text[0] == "世界a")
    #expect(Frame([Line("世")], size: Size(columns: 1, rows: 1)).text[0] == "")
    #expect(Frame([Line("ｱがe\u{301}🔒한")], size: Size(columns: 8, rows: 1)).text[0] == "ｱがe\u{301}🔒한")
    // Characters that have no width, or whose width differs between terminals, become question marks.
    #expect(Frame([Line("\u{200B}\u{202E}\u{2028}👨‍👩‍👧.")], size: size).text[0] == "????.")
    #expect(Frame([Line("世a")], size: size).sequence(since: nil).hasSuffix("世a"))
  }

  @Test(
    "Flags, composed syllables and accents count as terminals count them",
    arguments: [
      ("🇫🇷", 2), ("각", 2), ("한", 2), ("é", 1), ("ﷺ", 1), ("￥", 2), ("…", 1), ("▕", 1), ("\u{AD}", 1),
      ("\u{301}", 0), ("\u{1160}", 0), ("𠀋", 2), ("😀", 2), ("❤", 1), ("〿", 1), ("〈", 2),
    ])
  func widths(text: String, width: Int) {
    #expect(text.first?.cellCount == (width == 0 ? nil : width))
  }

  #if os(Linux)
    @Test("A character of one scalar takes as many cells as the system's library says")
    func widthsOfTheSystem() throws {
      let differing = (0x20...0x2FFFF as ClosedRange<UInt32>).filter { value in
        guard let scalar = Unicode.Scalar(value), let count = pseudo_terminal_cell_count(value) as Int32?
        else { return false }
        // Characters are skipped if Swift or the system's library does not know them. U+1171E is skipped
        // because the two libraries disagree about its width.
        if count < 0 || scalar.properties.generalCategory == .unassigned || value == 0x1171E { return false }
        return (Character(scalar).cellCount ?? 0) != Int(count)
      }
      #expect(differing.map { String($0, radix: 16) } == [])
    }
  #endif

  @Test("The first frame clears the screen and writes what is not blank")
  func first() {
    let frame = Frame([Line("ab"), Line(" c")], size: size)
    #expect(
      frame.sequence(since: nil)
        == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[0mab\u{1B}[2;2Hc")
  }

  @Test("An equal frame writes nothing; another writes the cells that differ")
  func difference() {
    let shown = Frame([Line("abc"), Line("def")], size: size)
    #expect(Frame([Line("abc"), Line("def")], size: size).sequence(since: shown) == "")
    let next = Frame([Line("abX"), Line("YeZ")], size: size)
    #expect(
      next.sequence(since: shown) == "\u{1B}[1;3H\u{1B}[0mX\u{1B}[2;1HY\u{1B}[2;3HZ")
    #expect(Frame([Line("ab"), Line("def")], size: size).sequence(since: shown) == "\u{1B}[1;3H\u{1B}[0m ")
  }

  @Test("A style is selected where it changes, and a cell whose style alone differs is written")
  func styles() {
    let shown = Frame([Line("abc")], size: size)
    var line = Line("a")
    line.append("b", Style(color: .green, isBold: true))
    line.append("c")
    #expect(
      Frame([line], size: size).sequence(since: shown) == "\u{1B}[1;2H\u{1B}[0;1;32mb")
    #expect(shown.sequence(since: Frame([line], size: size)) == "\u{1B}[1;2H\u{1B}[0mb")
  }

  @Test("The last column is left by a move, because terminals differ in where the cursor stands behind it")
  func lastColumn() {
    let frame = Frame([Line("abcdef"), Line("g")], size: size)
    #expect(frame.sequence(since: nil).hasSuffix("abcdef\u{1B}[2;1Hg"))
  }

  @Test("Another size clears the screen and writes everything")
  func resize() {
    let shown = Frame([Line("ab")], size: size)
    let next = Frame([Line("ab")], size: Size(columns: 7, rows: 3))
    #expect(next.sequence(since: shown) == next.sequence(since: nil))
  }

  @Test("Frame after frame, a terminal shows what the frames say", arguments: ["ab c", "ab 世界"])
  func replay(characters: String) {
    var generator = SplitMix64(state: 1)
    var shown: Frame?
    var screen = Screenful()
    screen.obey(Control.enterScreen)
    for _ in 0..<200 {
      let size = Size(columns: generator.happens(percent: 5) ? 9 : 8, rows: 4)
      let lines = (0..<4).map { _ in
        Line(
          String((0..<Int(generator.next() % 10)).map { _ in characters.randomElement(using: &generator)! }))
      }
      let frame = Frame(lines, size: size)
      screen.obey(frame.sequence(since: shown))
      shown = frame
      #expect(screen.text(size) == frame.text)
    }
  }
}
