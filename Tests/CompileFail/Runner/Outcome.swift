/// The outcome of a mistake.
enum Outcome: Equatable {
  /// The compiler refuses the file.
  case refused
  /// The compiler warns about the file.
  case warned
  /// The program traps with a message.
  case traps(sentence: String)
  /// The program crashes without a message.
  case crashes
  /// The program does not end.
  case hangs
  /// The program ends with a wrong result, which the associated value describes.
  case silentlyWrong(String)
  /// The program ends with the right result: with the lock that it uses, the code is not a mistake.
  case harmless

  /// The word for the outcome in `Mistakes.md`.
  var word: String {
    switch self {
    case .refused: "refused"
    case .warned: "warned"
    case .traps: "traps"
    case .crashes: "crashes"
    case .hangs: "hangs"
    case .silentlyWrong: "wrong"
    case .harmless: "harmless"
    }
  }

  /// Whether the program ran and failed: it trapped, crashed, hung or had a wrong result.
  var isBadEnd: Bool { Self.badEnds.contains(word) }

  /// The words for the outcomes of programs that ran and failed.
  static let badEnds: Set<String> = ["traps", "crashes", "hangs", "wrong"]
}
