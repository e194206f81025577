/// A number in a static `let`.
///
/// The compiler can't evaluate the initialiser, so the number is initialised on its first use.
final class StaticWord: WordHolder {
  private static let made = UInt64(CommandLine.arguments.count)

  var word: UInt64 { Self.made }
}
