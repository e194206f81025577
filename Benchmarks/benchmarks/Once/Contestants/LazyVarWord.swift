/// A number in Swift's `lazy var`, which isn't synchronised.
final class LazyVarWord: WordHolder, @unchecked Sendable {
  // `LazyVarWord` is `@unchecked Sendable`, which is sound: the suite uses an object on one thread at a time.
  lazy var word = UInt64(CommandLine.arguments.count)
}
