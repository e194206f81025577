/// Text and elements of XML, which HTML accepts as well.
package enum Markup {
  /// Text that stands for itself, between elements and in attributes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // XML has no place for these, not even escaped.
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// An element with content that is markup already; without content, an empty one.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], content: String? = nil
  ) -> String {
    let list = attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    return content.map { "<\(name)\(list)>\($0)</\(name)>" } ?? "<\(name)\(list)/>"
  }

  /// An element with a text in it.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) -> String {
    element(name, attributes, content: escaped(text))
  }
}
