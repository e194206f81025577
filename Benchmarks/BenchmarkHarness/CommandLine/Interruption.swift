internal import CTerminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Handles Ctrl-C and the other signals that ask the program to end.
///
/// The first signal only sets `hasHappened`, so that the program can print the finished measurements.
/// Signals in the next two seconds have no effect. A later signal ends the program at once.
package enum Interruption {
  /// Installs the handlers; from now on `hasHappened` may become true.
  package static func watch() {
    let signals = [SIGINT, SIGTERM, SIGHUP]
    // If the handlers can't be installed, the program continues, and the first signal ends it.
    _ = terminal_watch_signals(
      signals, signals.count,
      "\nbenchmarks: Ending after this measurement; in two seconds a signal ends it at once\n")
  }

  package static var hasHappened: Bool { terminal_is_to_end() != 0 }
}
