internal import LazyInitialization

/// A number in a field that a `Once` initialises.
final class OnceWord: WordHolder, @unchecked Sendable {
  // `OnceWord` is `@unchecked Sendable`, which is sound: `made` is written once, in the body of `once`, and
  // is read only after that. Accesses to `made` therefore can't overlap, so it needs no exclusivity check.
  private let once = Once()
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}
