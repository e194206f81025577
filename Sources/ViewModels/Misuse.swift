/// Reports a misuse in the format of all traps of this package, then ends the program.
///
/// The message says what was done to `object`, and what to do instead. The view models use only the public
/// API of the primitives, so they can't call the trap function of the primitives. The message begins with a
/// line break, because `fatalError` prints the source file before it.
func misuse(_ object: String, _ done: String, _ instead: String) -> Never {
  fatalError("\nInterlock: \(object): \(done); \(instead)")
}
