/// Prints one line, in the form of all traps of this package, and ends the program.
///
/// The view models use only public API of the primitives, so they can't call the function that the primitives
/// call. The message begins with a line break, because the standard library writes the source file before it.
func misuse(_ object: String, _ done: String, _ instead: String) -> Never {
  fatalError("\nInterlock: \(object): \(done); \(instead)")
}
