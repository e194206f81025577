#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Prepares a program's standard streams.
package enum StandardStreams {
  /// Opens `/dev/null` on each closed descriptor from 0 to 2, and ignores the signals with which the system
  /// ends a program whose write fails.
  ///
  /// Otherwise the next file that the program opens could get the number of standard output, and then all
  /// that is printed. Each descriptor is opened in the wrong direction, so reading from it or printing to it
  /// still fails.
  package static func prepare() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // `open` takes the lowest number that is free, which is `descriptor`.
      _ = open("/dev/null", mode)
    }
    // A write to a pipe without a reader raises SIGPIPE. A write beyond the limit of a file's size raises
    // SIGXFSZ.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}
