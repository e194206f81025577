/// A line of text in several styles.
package struct Line: Sendable, Equatable {
  /// A piece of text in one style.
  package struct Span: Sendable, Equatable {
    package var text: String
    package var style: Style
  }

  package var spans: [Span]

  package init(_ text: String = "", _ style: Style = .plain) {
    spans = text.isEmpty ? [] : [Span(text: text, style: style)]
  }

  package mutating func append(_ text: String, _ style: Style = .plain) {
    spans.append(Span(text: text, style: style))
  }
}
