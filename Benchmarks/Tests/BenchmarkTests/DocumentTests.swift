@testable import BenchmarkHarness
internal import Foundation
internal import Testing

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An XML document, parsed by Foundation as other programs would parse it.
private final class ParsedMarkup: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Parses a document; throws the parser's error if it is not well-formed.
  init(_ document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? Failure("not well-formed: line \(parser.lineNumber)") }
  }

  func named(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let index = open.last { elements[index].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    open.removeLast()
  }
}

@Suite("Tables, page and charts")
struct DocumentTests {
  private let target = Target(
    "a < b",
    .ratio(.init("one", "alone", "read", "ref <&>"), over: [.init("one", "alone", "read", "ref <&>")]),
    .atMost(1))

  private var document: Document { Document(.variety(), targets: [target]) }

  @Test("The tables fit a terminal's font: columns stand below one another")
  func table() {
    let summary = Summary([5])!
    func row(_ name: String, _ first: String, limit: Double, _ others: [String]) -> Table.Row {
      let bar = Table.Cell.bar(Table.Bar(summary: summary, limit: limit, width: 3))
      return Table.Row(name: name, cells: [.text(first), bar] + others.map { .text($0) })
    }
    var table = Table(title: "", groups: [("one contest", ["ns", ""]), ("x", ["ns", "ratio"])])
    table.rows = [
      Table.Row(name: "a heading that is wider than all names", cells: nil),
      row("a", "1", limit: 10, ["22.5", "1"]), row("long", "1000", limit: 4, ["7", ""]),
    ]
    #expect(
      table.lines == [
        "       one contest            x",
        "            ns         ns ratio",
        "a heading that is wider than all names",
        "a            1 █▌    22.5     1",
        "long      1000 ██▸      7",
      ])
    #expect(Table.Bar(summary: summary, limit: 10, width: 1).text == "▅")
  }

  @Test("The text has every table, with the figures, ratios and waits of each contestant")
  func text() throws {
    let text = document.text
    for words in [
      "INTERRUPTED", "== one: a & b", "1 < 2", "alone: nanoseconds, and ratio to ref <&>",
      "kind 1: what <1> means", "≥ 900 ns", "== targets", "a < b",
      "Noise floor: two identical contestants differ by", "Loops checked: 4 times the operations took 4.0",
      "Rounds measured again because a thread that should have had a processor did without for a while: 3.",
      "something & other",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    // Three rounds are too few for a verdict.
    #expect(text.contains("0 of 1 targets hold, 0 don't, 1 are undecided"))
    let report = Report.sample(["ref": [10, 10, 10], "x": [20, 25, 30]])
    let row = try #require(
      Document(report, targets: []).text.split(separator: "\n").first { $0.hasPrefix("x") })
    #expect(row.split(separator: " ").prefix(4).map(String.init) == ["x", "25.0", "2.50", "±10%"])
  }

  @Test("The page is well-formed XML, without control characters, and has every table and chart of the text")
  func page() throws {
    let parsed = try ParsedMarkup(document.page)
    let tables = document.blocks.filter { if case .table = $0 { true } else { false } }
    #expect(parsed.named("table").count == tables.count)
    #expect(Markup.escaped("a\u{1}\"'\n") == "a\u{FFFD}&quot;&#39;\n")
    #expect(parsed.named("svg").count == document.charts.count)
    #expect(parsed.named("h2").map(\.text).contains("two: a & b"))
    #expect(parsed.named("th").contains { $0.text == "a < b" && $0.attributes["scope"] == "row" })
    #expect(parsed.named("p").contains { $0.text == "1 < 2" })
    // One bar is as long as there is room, and one that would be longer is cut.
    let bars = parsed.named("i")
    #expect(bars.contains { $0.attributes["style"] == "width:100.0%" && $0.attributes["class"] == "" })
    #expect(bars.contains { $0.attributes["style"] == "width:100.0%" && $0.attributes["class"] == "cut" })
  }

  @Test("Contests with a parameter, and throughput with more and more threads, have a chart of lines")
  func charts() throws {
    let charts = document.charts
    #expect(charts.map(\.fileName) == ["one-50-with-more-and-more-threads", "two-frames"])
    let frames = try ParsedMarkup(charts[1].document)
    #expect(frames.named("style").count == 1)
    #expect(frames.named("title").map(\.text) == ["two: frames"])
    let texts = frames.named("text").map(\.text)
    for text in ["ref <&>", "contestant with a long name 13", "reads <n>", "1000", "10000", "100000"] {
      #expect(texts.contains(text))
    }
    // A line for each contestant, through a point for each contest, and a point in the list of names.
    let lines = frames.named("path").filter { $0.attributes["d"]!.filter { $0 == "L" }.count == 2 }
    #expect(lines.count == 14)
    #expect(Set(lines.map { $0.attributes["class"] }).count == 14)
    #expect(frames.named("circle").count == 14 * 4)
  }

  @Test("A logarithmic axis has round ticks inside its domain, and places figures by their ratios")
  func scale() {
    let scale = Scale([1, 100, 0, .nan], room: 1, from: 0, to: 200)
    #expect(scale.domain == 1...100)
    #expect(scale.place(10) == 100)
    #expect(scale.place(1e9) == 200)
    #expect(scale.ticks.first == 1 && scale.ticks.last == 100)
    #expect(Scale([90, 110], room: 1.1, from: 200, to: 0).ticks.contains(100))
    #expect(Scale([], room: 1.1, from: 0, to: 1).domain == 0.5...2)
  }
}
