internal import Foundation

/// Documents in JSON.
package enum JSON {
  /// Encodes a value as indented JSON: members are sorted by name, and each array of plain values is on one
  /// line.
  package static func text(_ value: some Encodable) throws(FileFailure) -> String {
    compact(try encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
  }

  /// Encodes a value on one line, with a line break at the end.
  package static func line(_ value: some Encodable) throws(FileFailure) -> String {
    try encoded(value, [.sortedKeys, .withoutEscapingSlashes]) + "\n"
  }

  private static func encoded(
    _ value: some Encodable, _ format: JSONEncoder.OutputFormatting
  ) throws(FileFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw FileFailure("can't be written as JSON: \(error)")
    }
  }

  /// Decodes a value.
  package static func value<Value: Decodable>(
    _ type: Value.Type, of text: String
  ) throws(FileFailure) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw FileFailure(reason(error, in: text))
    } catch {
      throw FileFailure("\(error)")
    }
  }

  /// Changes indented JSON so that each array without nested objects or arrays is on one line.
  private static func compact(_ text: String) -> String {
    var lines: [Substring] = []
    // The index in `lines` at which the innermost open array begins; `nil` if there is none, or if that array
    // contains an object or an array.
    var start: Int?
    for line in text.split(separator: "\n") {
      lines.append(line)
      // The encoder escapes line breaks in strings, so no line ends inside a string. A bracket at the end of
      // a line is therefore never part of a string.
      if line.hasSuffix("[") {
        start = lines.count - 1
      } else if line.hasSuffix("{") {
        start = nil
      } else if let first = start, line.hasSuffix("]") || line.hasSuffix("],") {
        let values = lines[(first + 1)..<(lines.count - 1)].map { $0.drop(while: \.isWhitespace) }
        let whole = lines[first] + values.joined(separator: " ") + line.drop(while: \.isWhitespace)
        lines.replaceSubrange(first..., with: [whole])
        start = nil
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Describes a decoding error in one line.
  private static func reason(_ error: DecodingError, in text: String) -> String {
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      let path = place(context.codingPath)
      return "no '\(key.stringValue)'" + (path.isEmpty ? "" : " in '\(path)'")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "'\(place(context.codingPath))' is of another kind"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "no JSON: \(syntaxError(in: text) ?? context.debugDescription)"
    case .dataCorrupted(let context):
      return "'\(place(context.codingPath))': \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  /// Describes the syntax error in a text, with its position; `nil` if no description is available.
  ///
  /// Parses the text again with `JSONSerialization`, because the decoder's error lacks the position on some
  /// systems.
  private static func syntaxError(in text: String) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      return nil
    } catch {
      return (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
    }
  }
}

/// A JSON object whose members have different types.
///
/// A member that is `nil` is encoded as `null`.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
  }

  private let members: [(name: String, value: (any Encodable)?)]

  package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    members = elements.map { (name: $0.0, value: $0.1) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for member in members {
      let name = Name(stringValue: member.name)
      if let value = member.value {
        try container.encode(value, forKey: name)
      } else {
        try container.encodeNil(forKey: name)
      }
    }
  }
}
