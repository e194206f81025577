internal import BenchmarkHarness
internal import Testing

@Suite("Markup")
struct MarkupTests {
  @Test("Text stands for itself, in elements and in attributes")
  func escaping() throws {
    let text = "a < b && c > \"d\" 'e' µ 🔒"
    let escaped = Markup.escaped(text)
    #expect(!escaped.contains("<") && !escaped.contains("\""))
    let parsed = try ParsedMarkup("<t a=\"\(escaped)\" b='\(escaped)'>\(escaped)</t>")
    #expect(parsed.elements[0].text == text)
    #expect(parsed.elements[0].attributes == ["a": text, "b": text])
  }

  @Test("Characters that XML does not allow are replaced")
  func controlCharacters() throws {
    #expect(
      try ParsedMarkup("<t>\(Markup.escaped("a\u{0}b\u{1B}c"))</t>").elements[0].text == "a\u{FFFD}b\u{FFFD}c"
    )
  }
}
