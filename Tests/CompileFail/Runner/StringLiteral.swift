/// Reads string literals of Swift source.
///
/// It supports only the part of the grammar that the messages of traps and their tests need.
enum StringLiteral {
  /// The literals in `source`.
  ///
  /// Literals that are joined by `+` count as one. Each interpolation is replaced by `…`.
  static func all(in source: some StringProtocol) -> [String] {
    var literals: [String] = []
    // Whether the last token was a literal (`isAfterLiteral`), or a plus after a literal (`isJoined`).
    var isAfterLiteral = false
    var isJoined = false
    var rest = Substring(source)
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if character == "\"" {
        let literal = take(from: &rest)
        if isJoined { literals[literals.count - 1] += literal } else { literals.append(literal) }
        (isAfterLiteral, isJoined) = (true, false)
      } else {
        if !character.isWhitespace {
          (isAfterLiteral, isJoined) = (false, character == "+" && isAfterLiteral)
        }
        rest.removeFirst()
      }
    }
    return literals
  }

  /// The source text of each argument of a call; `source` must begin after the call's opening parenthesis.
  static func arguments(from source: Substring) -> [String] {
    var arguments = [""]
    var depth = 0
    var rest = source
    while let character = rest.first {
      if character == "\"" {
        let start = rest
        _ = take(from: &rest)
        arguments[arguments.count - 1] += start[..<rest.startIndex]
        continue
      }
      if character == ")", depth == 0 { break }
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        arguments.append("")
      } else {
        arguments[arguments.count - 1].append(character)
      }
      rest.removeFirst()
    }
    return arguments
  }

  /// Removes the literal at the beginning of `rest`, and returns it without its quotes.
  ///
  /// Each interpolation is replaced by `…`.
  private static func take(from rest: inout Substring) -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst() else { break }
      if escaped == "(" {
        text.append("…")
        skipInterpolation(in: &rest)
      } else {
        text.append(escaped)
      }
    }
    return text
  }

  private static func skipInterpolation(in rest: inout Substring) {
    var depth = 1
    while depth > 0, let character = rest.first {
      if character == "\"" {
        _ = take(from: &rest)
        continue
      }
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      rest.removeFirst()
    }
  }
}
