/// A key press.
enum Key: Equatable {
  case character(Character)
  case enter, backspace, escape, up, down, pageUp, pageDown

  /// The keys in the bytes that a terminal has sent.
  ///
  /// Bytes of other keys are skipped. A terminal sends the bytes of one key together.
  static func all(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
        rest.removeFirst()
        let end = rest.firstIndex { (0x40...0x7E).contains($0) } ?? rest.endIndex - 1
        if end >= rest.startIndex, let key = sequences[String(decoding: rest[...end], as: UTF8.self)] {
          keys.append(key)
        }
        rest = rest.dropFirst(end + 1 - rest.startIndex)
      case 0x1B: keys.append(.escape)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
      default: break
      }
    }
    return keys
  }

  private static let sequences: [String: Key] = ["A": .up, "B": .down, "5~": .pageUp, "6~": .pageDown]
}
