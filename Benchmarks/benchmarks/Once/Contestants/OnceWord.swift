internal import LazyInitialization

/// A field that is filled by a `Once`.
final class OnceWord: WordHolder, @unchecked Sendable {
  // Sendable: `made` is written by `once` and read after it, which also is why its exclusivity need not be
  // checked.
  private let once = Once()
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}
