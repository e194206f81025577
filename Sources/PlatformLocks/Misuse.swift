/// Ends the program with the one sentence form of all traps of this package:
/// `Interlock: <primitive>: <what was done>; <what to do instead>`.
///
/// Unlike `preconditionFailure`, it prints its message in optimised builds too.
@usableFromInline
@inline(never)
package func misuse(_ primitive: String, _ done: String, _ instead: String) -> Never {
  fatalError("Interlock: \(primitive): \(done); \(instead)")
}
