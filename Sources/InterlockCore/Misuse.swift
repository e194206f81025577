internal import CInterlock

/// Prints one line that describes misuse of a primitive, and ends the program.
///
/// The line has the same form for all traps of this package: `Interlock: <primitive>: <what was done>; <what
/// to do instead>`.
///
/// The line goes to standard error, in optimized builds too. It names no source file, because this function
/// does not know the call that was wrong. A backtrace shows that call.
@usableFromInline
@inline(never)
package func misuse(_ primitive: String, _ done: String, _ instead: String) -> Never {
  if let thread = ExploredThreads.current { thread.trap("\(primitive): \(done); \(instead)") }
  let line = "Interlock: \(primitive): \(done); \(instead)\n"
  // Sound: the C function does not keep the pointer to the string.
  unsafe line.withCString { unsafe interlock_print_last_words($0) }
  interlock_trap()
}

/// Prints one line that describes misuse of `primitive`, and ends the program.
@usableFromInline
@inline(never)
package func misuse(_ primitive: Primitive, _ done: String, _ instead: String) -> Never {
  misuse(primitive.name, done, instead)
}

/// The text of a duration in a message.
///
/// The standard library traps where the seconds don't fit into an `Int64`.
package func text(of duration: Duration) -> String {
  if duration < .seconds(Int64.min) { return "less than \(Int64.min) seconds" }
  if duration > .seconds(Int64.max) { return "more than \(Int64.max) seconds" }
  return "\(duration)"
}
