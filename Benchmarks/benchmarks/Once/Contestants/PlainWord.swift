/// A number in a stored field of a final class.
final class PlainWord: WordHolder, @unchecked Sendable {
  // `PlainWord` is `@unchecked Sendable`, which is sound: `word` never changes after its initialisation.
  var word: UInt64 = 1
}
