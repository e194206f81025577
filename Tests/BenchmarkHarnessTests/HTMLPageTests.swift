internal import BenchmarkHarness
internal import Testing

@Suite("HTML page")
struct HTMLPageTests {
  private func page(_ report: Report) -> String {
    HTMLPage(report, charts: ChartBook(report).charts).text
  }

  @Test("It is well-formed, and has every chart, table and target")
  func contents() throws {
    let report = Report.variety()
    let parsed = try ParsedMarkup(page(report))
    #expect(parsed.named("svg").count == ChartBook(report).charts.count)
    #expect(
      parsed.named("h2").map(\.text) == [
        "How to read this page", "one", "two", "self-check", "Contention", "Targets", "The run",
      ])
    #expect(parsed.named("table").count == 10)
    #expect(parsed.named("th").contains { $0.text == "a / b" && $0.attributes["scope"] == "row" })
    #expect(parsed.named("p").contains { $0.text == "1 < 2" })
    #expect(parsed.named("p").contains { $0.text.contains("Interrupted") })
    #expect(parsed.named("pre").map(\.text) == [report.contention])
  }

  @Test("Every header of a table says what it is the header of")
  func headers() throws {
    let headers = try ParsedMarkup(page(.variety())).named("th")
    #expect(headers.allSatisfy { ["col", "row", "rowgroup"].contains($0.attributes["scope"]) })
    #expect(headers.allSatisfy { !$0.text.isEmpty })
    #expect(headers.contains { $0.attributes["scope"] == "rowgroup" && $0.text == "kind 1: what <1> means" })
  }

  @Test("It says that a ratio is not the quotient of the figures beside it")
  func ratios() {
    #expect(page(.variety()).contains("not the quotient of the two medians"))
  }

  @Test("It loads nothing")
  func selfContained() throws {
    let parsed = try ParsedMarkup(page(.variety()))
    for element in parsed.elements {
      #expect(!["script", "link", "img", "iframe", "object"].contains(element.name))
      #expect(element.attributes["src"] == nil)
      #expect(element.attributes["href"]?.hasPrefix("#") ?? true)
    }
    #expect(!page(.variety()).contains("url("))
  }

  @Test("Each link leads to its suite")
  func links() throws {
    let parsed = try ParsedMarkup(page(.variety()))
    let ids = Set(parsed.elements.compactMap { $0.attributes["id"] })
    let links = parsed.named("a").compactMap { $0.attributes["href"]?.dropFirst() }
    #expect(links.count == 3)
    #expect(links.allSatisfy { ids.contains(String($0)) })
  }

  @Test("A debug build is labelled")
  func debugBuild() {
    #expect(page(.variety(isDebug: true)).contains("DEBUG BUILD, not a measurement"))
    #expect(!page(.variety()).contains("DEBUG BUILD"))
  }
}
