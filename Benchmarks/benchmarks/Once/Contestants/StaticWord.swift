/// A number in a static `let` whose initialiser the compiler can't evaluate.
final class StaticWord: WordHolder {
  private static let made = UInt64(CommandLine.arguments.count)

  var word: UInt64 { Self.made }
}
