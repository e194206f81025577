internal import LazyInitialization

/// A number in a field that a `Once` initialises.
final class OnceWord: WordHolder, @unchecked Sendable {
  private let once = Once()
  // `made` is written once, in the body of `once`, and is read only after that, so accesses can't overlap.
  // This makes both `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}
