internal import LazyInitialization

/// A number in a field that a `Once` initialises.
final class OnceWord: WordHolder, @unchecked Sendable {
  // Sound, and `Sendable`: `made` is written by `once` and read after that. So its exclusivity need not be
  // checked either.
  private let once = Once()
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}
