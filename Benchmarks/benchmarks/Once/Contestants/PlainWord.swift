/// A number in a stored field of a final class.
final class PlainWord: WordHolder, @unchecked Sendable {
  // Sound, and `Sendable`: `word` never changes after its initialisation.
  var word: UInt64 = 1
}
