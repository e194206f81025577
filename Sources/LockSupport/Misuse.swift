internal import CInterlock

/// Prints one line and ends the program.
///
/// The line has the same form for all traps of this package: `Interlock: <primitive>: <what was done>; <what
/// to do instead>`.
///
/// The line goes to standard error, in optimised builds too. It names no source file, because this function
/// does not know where its caller was called. The backtrace shows that place.
@usableFromInline
@inline(never)
package func misuse(_ primitive: String, _ done: String, _ instead: String) -> Never {
  if let thread = ExploredThreads.current { thread.trap("\(primitive): \(done); \(instead)") }
  let line = "Interlock: \(primitive): \(done); \(instead)\n"
  // Sound: the C function does not keep the string.
  unsafe line.withCString { unsafe interlock_print_last_words($0) }
  interlock_trap()
}

/// Ends the process because of misuse of `primitive`.
@usableFromInline
@inline(never)
package func misuse(_ primitive: Primitive, _ done: String, _ instead: String) -> Never {
  misuse(primitive.name, done, instead)
}
