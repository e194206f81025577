/// Converts the bytes that a terminal sends to keys.
///
/// The bytes of a key may arrive in several parts; an incomplete key is kept for the next call.
package struct KeyParser: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// Adds bytes, and returns the keys that are complete now.
  ///
  /// An escape character at the end of `bytes` counts as the Escape key: the parser relies on the first two
  /// bytes of a longer sequence arriving in one call.
  package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (length, key) = Self.first(in: pending) {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Parses the first key, and returns how many bytes it takes.
  ///
  /// The key is `nil` for unknown bytes. The result is `nil` if more bytes are needed.
  private static func first(in bytes: [UInt8]) -> (length: Int, key: Key?)? {
    switch bytes.first {
    case nil: return nil
    case 0x1B: return escaped(bytes)
    case 0x0A, 0x0D: return (1, .enter)
    case 0x08, 0x7F: return (1, .backspace)
    case .some(..<0x20): return (1, nil)
    case .some(let first): return character(first, bytes)
    }
  }

  /// Parses bytes that begin with Escape: the Escape key, or a sequence that begins with `ESC [` or `ESC O`.
  ///
  /// The result is that of `first(in:)`.
  private static func escaped(_ bytes: [UInt8]) -> (length: Int, key: Key?)? {
    guard bytes.count > 1 else { return (1, .escape) }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return (1, .escape) }
    guard let final = bytes[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // Wait for the rest of the sequence. The sequence of a key is shorter than 16 bytes, so 16 or more
      // bytes without an end are dropped.
      return bytes.count < 16 ? nil : (bytes.count, nil)
    }
    let sequence = String(decoding: bytes[2...final], as: UTF8.self)
    let key: Key? =
      switch sequence {
      case "A": .up
      case "B": .down
      case "5~": .pageUp
      case "6~": .pageDown
      case "H", "1~", "7~": .home
      case "F", "4~", "8~": .end
      default: nil
      }
    return (final + 1, key)
  }

  /// Parses a UTF-8 character that begins with `first`; the result is that of `first(in:)`.
  private static func character(_ first: UInt8, _ bytes: [UInt8]) -> (length: Int, key: Key?)? {
    let length =
      switch first {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else { return (1, nil) }
    guard bytes.count >= length else { return nil }
    guard let text = String(validating: bytes[..<length], as: UTF8.self), let character = text.first else {
      return (1, nil)
    }
    return (length, .character(character))
  }
}
