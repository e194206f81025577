/// Reads JSON (RFC 8259): what `JSONValue.text` writes, and what other programs make of it.
package struct JSONParser {
  /// Where the text stops being JSON, and why.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
  }

  /// Deeper documents are refused, so that none exhausts the stack.
  private static let mostNesting = 100

  private let bytes: [UInt8]
  private var position = 0
  private var nesting = 0

  /// The value that the text is.
  package static func value(of text: String) throws(Failure) -> JSONValue {
    var parser = JSONParser(bytes: Array(text.utf8))
    let value = try parser.value()
    parser.skipSpace()
    guard parser.next == nil else { throw parser.failure("there is something after the end") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String) -> Failure {
    Failure(line: 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) {
      position += 1
    }
  }

  /// Goes over a character, if it comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(Failure) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard nesting < Self.mostNesting else { throw failure("nested too deeply") }
      nesting += 1
      defer { nesting -= 1 }
      return next == UInt8(ascii: "{") ? try object() : try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("it ends too early")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("no value") }
    position += word.utf8.count
    return value
  }

  private mutating func object() throws(Failure) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("no member's name") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("no ':' after a member's name") }
      members.append(JSONValue.Member(name: name, value: try value()))
      skipSpace()
    } while take(",")
    guard take("}") else { throw failure("no '}' at an object's end") }
    return .object(members)
  }

  private mutating func array() throws(Failure) -> JSONValue {
    position += 1
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array([]) }
    repeat {
      values.append(try value())
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("no ']' at an array's end") }
    return .array(values)
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) {
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Swift reads more than JSON allows: a leading "+" or zero, and a point without digits around it.
    let digits = text.drop { $0 == "-" }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = digits.first, first.isNumber,
      !(first == "0" && digits.dropFirst().first?.isNumber == true),
      parts.count == 1 || parts[1].first?.isNumber == true
    else { throw failure("no value") }
    if let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text) else { throw failure("no number: \(text)") }
    return .number(number)
  }

  private mutating func string() throws(Failure) -> String {
    position += 1
    var scalars = String.UnicodeScalarView()
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("a control character in a string") }
      if byte == UInt8(ascii: "\\") {
        scalars.append(try escaped())
      } else {
        let start = position
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          position += 1
        }
        scalars.append(contentsOf: String(decoding: bytes[start..<position], as: UTF8.self).unicodeScalars)
      }
    }
    guard take("\"") else { throw failure("a string does not end") }
    return String(scalars)
  }

  /// A character behind a backslash.
  private mutating func escaped() throws(Failure) -> Unicode.Scalar {
    position += 1
    defer { position += 1 }
    switch next {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return try codePoint()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(bytes[position])
    default: throw failure("an unknown character behind a backslash")
    }
  }

  /// Four hexadecimal digits behind "u", and four more behind another "\u" where the first are half of a pair.
  ///
  /// Stops on the last digit.
  private mutating func codePoint() throws(Failure) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    position += 1
    guard take("\\"), next == UInt8(ascii: "u") else { throw failure("half of a surrogate pair") }
    let other = try codeUnit()
    guard (0xD800...0xDBFF).contains(unit), (0xDC00...0xDFFF).contains(other),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (other - 0xDC00))
    else { throw failure("half of a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    let digits = String(decoding: bytes[(position + 1)...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let unit = UInt32(digits, radix: 16)
    else { throw failure("no four hexadecimal digits behind \\u") }
    position += 4
    return unit
  }
}
