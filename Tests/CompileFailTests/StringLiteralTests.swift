import Testing

@testable import CompileFail

@Suite struct StringLiteralTests {
  @Test func literalsThatPlusJoinsAreOne() {
    #expect(StringLiteral.all(in: #"f("a; " + "b", "c")"#) == ["a; b", "c"])
    #expect(StringLiteral.all(in: "x == \"a; \"\n    + \"b\"") == ["a; b"])
  }

  @Test func literalsBesideAPlusAreNot() {
    #expect(StringLiteral.all(in: #"f("a") + g("b")"#) == ["a", "b"])
    #expect(StringLiteral.all(in: #""a" + x + "b""#) == ["a", "b"])
  }

  @Test func anInterpolationIsAGap() {
    #expect(StringLiteral.all(in: #""a \(f("x", (1))) b""#) == ["a … b"])
  }

  @Test func aQuoteInALiteralDoesNotEndIt() {
    #expect(StringLiteral.all(in: #""Lifecycle \"\(label)\"""#) == [#"Lifecycle "…""#])
  }

  @Test func commentsHaveNoLiterals() {
    #expect(StringLiteral.all(in: "// \"a\"\n\"b\" // \"c\"") == ["b"])
  }

  @Test func argumentsEndAtCommasOutsideParentheses() {
    #expect(
      StringLiteral.arguments(from: #""a, b", f(1, 2), "c)") + 1"#) == ["\"a, b\"", " f(1, 2)", " \"c)\""])
  }
}
