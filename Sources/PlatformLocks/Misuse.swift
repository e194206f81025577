internal import CInterlock

/// Ends the program with the one sentence form of all traps of this package:
/// `Interlock: <primitive>: <what was done>; <what to do instead>`.
///
/// The line goes to standard error, in optimised builds too. Unlike that of `fatalError` it names no file, because the caller's
/// place is not known here. It is in the backtrace.
@usableFromInline
@inline(never)
package func misuse(_ primitive: String, _ done: String, _ instead: String) -> Never {
  #if Exploration
    if let thread = ExploredThreads.current { thread.trap("\(primitive): \(done); \(instead)") }
  #endif
  let line = "Interlock: \(primitive): \(done); \(instead)\n"
  // The C function does not keep the string.
  unsafe line.withCString { unsafe interlock_print_last_words($0) }
  interlock_trap()
}
