/// A picture, ready to be written.
package struct Chart: Sendable, Equatable {
  /// What its file is called, without ".svg".
  package let name: String
  package let title: String
  /// The suite that it is about.
  package let suite: String
  /// The SVG element, without the style sheet, for a page that has it already.
  package let element: String

  /// The text of a file of its own.
  package var document: String {
    guard let end = element.firstIndex(of: ">") else { return element }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element[...end]
      + Markup.element("style", text: ChartStyle.sheet) + element[element.index(after: end)...] + "\n"
  }
}
