#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The preparation of a program's standard streams.
package enum StandardStreams {
  /// Reserves the descriptors 0 to 2, and lets a write that can't succeed fail instead of ending the program.
  ///
  /// Where one of them is closed, the next file that is opened would take its place, and get what is printed. It is
  /// opened in the wrong direction, so that reading or printing fails as if it were closed.
  package static func prepare() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", mode)
    }
    // A reader that is gone, and a limit of the size of files.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}
