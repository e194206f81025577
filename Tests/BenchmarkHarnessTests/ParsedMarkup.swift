internal import BenchmarkHarness
internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An XML document, parsed by Foundation as other programs would parse it.
final class ParsedMarkup: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text: String
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Parses a document.
  ///
  /// - Throws: `NotWellFormed` with the line of the error if the document is not well-formed.
  init(_ document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw NotWellFormed(line: parser.lineNumber, reason: parser.parserError.map { "\($0)" } ?? "")
    }
  }

  struct NotWellFormed: Error {
    let line: Int
    let reason: String
  }

  func named(_ name: String) -> [Element] {
    elements.filter { $0.name == name }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, text: ""))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let index = open.last {
      elements[index].text += text
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    open.removeLast()
  }
}

extension ParsedMarkup.Element {
  /// The approximate area of a text in a chart, in pixels; `nil` if the element has no position.
  var area: (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
    guard let x = attributes["x"].flatMap(Double.init), let y = attributes["y"].flatMap(Double.init) else {
      return nil
    }
    let width = ChartStyle.width(of: text, size: attributes["class"] == "title" ? 16 : 12)
    let left: Double =
      switch attributes["text-anchor"] {
      case "middle": x - width / 2
      case "end": x - width
      default: x
      }
    return (left...(left + width), (y - 9)...(y + 2))
  }
}
