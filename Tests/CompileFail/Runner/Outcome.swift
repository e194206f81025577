/// What becomes of a mistake.
enum Outcome: Equatable {
  /// The compiler refuses it.
  case refused
  /// The compiler warns of it.
  case warned
  /// The program ends, and says why.
  case traps(sentence: String)
  /// The program ends without a word.
  case crashes
  /// The program does not end.
  case hangs
  /// The program ends with a wrong result.
  case silentlyWrong(String)
  /// The program ends with the right result: what is a mistake elsewhere is none here.
  case harmless

  /// The word of the table.
  var word: String {
    switch self {
    case .refused: "refused"
    case .warned: "warned"
    case .traps: "traps"
    case .crashes: "crashes"
    case .hangs: "hangs"
    case .silentlyWrong: "silently wrong"
    case .harmless: "harmless"
    }
  }

  /// The program was run, and did not end well.
  var isBadEnd: Bool { Self.badEnds.contains(word) }

  /// The words for that.
  static let badEnds: Set<String> = ["traps", "crashes", "hangs", "silently wrong"]
}
