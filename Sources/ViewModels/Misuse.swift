/// Prints one line, in the form of all traps of this package, and ends the program.
///
/// The view models use only what their own clients have, so not the function of the primitives. The line break
/// is there because the standard library writes the source file before the message.
func misuse(_ object: String, _ done: String, _ instead: String) -> Never {
  fatalError("\nInterlock: \(object): \(done); \(instead)")
}
