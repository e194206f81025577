@testable import BenchmarkHarness
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
        "Verdict", "How to read this page", "one", "two", "self-check", "Contention", "The run",
      ])
    #expect(parsed.named("table").count == 11)
    #expect(parsed.named("th").contains { $0.text == "a / b" && $0.attributes["scope"] == "row" })
    #expect(parsed.named("p").contains { $0.text == "1 < 2" })
    #expect(parsed.named("p").contains { $0.text.contains("Interrupted") })
    #expect(parsed.named("pre").map(\.text) == [report.contention])
  }

  @Test("It begins with the verdict, and the self-check comes last")
  func order() throws {
    let report = Report.variety()
    // A run measures the self-check first.
    let text = page(
      Report(
        run: report.run, suites: report.suites.reversed(), contests: report.contests,
        targets: report.targets))
    let parsed = try ParsedMarkup(text)
    #expect(
      parsed.named("h2").map(\.text) == [
        "Verdict", "How to read this page", "two", "one", "self-check", "The run",
      ])
    let paragraphs = parsed.named("p").map(\.text)
    #expect(
      paragraphs.contains("1 of 3 targets hold, 1 don't, 0 are within the spread, 1 were not judged."))
    #expect(paragraphs.contains("These do not hold:"))
    let none = try ParsedMarkup(page(.sample(["a": [1]]))).named("p").map(\.text)
    #expect(none.contains("This run measured none of the project's targets."))
  }

  @Test("A narrow window scrolls the charts, and does not shrink them")
  func narrowWindow() throws {
    let page = page(.variety())
    #expect(page.contains("figure { margin: 1.5rem 0; overflow-x: auto; }"))
    let rule = try #require(page.split(separator: "\n").first { $0.contains("figure svg {") })
    #expect(!rule.contains("width"))
    let parsed = try ParsedMarkup(page)
    #expect(parsed.named("svg").allSatisfy { Double($0.attributes["width"] ?? "") == 860 })
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
