internal import LazyInitialization

/// A number in a field that a `Once` initialises.
final class OnceWord: WordHolder, @unchecked Sendable {
  private let once = Once()
  // Sharing `made` between threads is sound, also without an exclusivity check: `made` is written once, in
  // the body of `once`, and is read only after that.
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}
