/// A stored field of a final class.
final class PlainWord: WordHolder, @unchecked Sendable {
  // Sound, and `Sendable`: written before the loops begin.
  var word: UInt64 = 1
}
