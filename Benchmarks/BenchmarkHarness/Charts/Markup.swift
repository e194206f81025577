/// Makes markup that is valid both as XML and as HTML.
package enum Markup {
  /// Escapes text for use between elements and in attribute values.
  ///
  /// U+FFFD replaces each control character below U+0020, except tabs and line feeds.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // XML forbids almost all control characters, even escaped, so U+FFFD replaces them.
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The markup of an element; if `content` is `nil`, the markup of an empty element, such as `<g/>`.
  ///
  /// The content is inserted unchanged, so it may contain other elements. The caller must escape any text in
  /// it.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], content: String? = nil
  ) -> String {
    let list = attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    return content.map { "<\(name)\(list)>\($0)</\(name)>" } ?? "<\(name)\(list)/>"
  }

  /// An element that contains a text.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) -> String {
    element(name, attributes, content: escaped(text))
  }
}
