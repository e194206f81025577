internal import CTerminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Ctrl-C as a question: the first one only makes `hasHappened` true, so that what is finished can be
/// printed; one that comes two seconds later or more ends the program.
package enum Interruption {
  /// Asks to be notified; from now on `hasHappened` may become true.
  package static func watch() {
    let signals = [SIGINT, SIGTERM, SIGHUP]
    // Where the system refuses, the first signal ends the program.
    _ = terminal_watch_signals(
      signals, signals.count,
      "\nbenchmarks: Ending after this measurement; in two seconds a signal ends it at once\n")
  }

  package static var hasHappened: Bool { terminal_is_to_end() != 0 }
}
