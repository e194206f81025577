#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Protects a program against closed standard streams, and against signals that failed writes raise.
package enum StandardStreams {
  /// Opens `/dev/null` on each standard stream that is closed, and ignores SIGPIPE and SIGXFSZ.
  ///
  /// If standard output stayed closed, the next file that the program opens could get its descriptor, and
  /// receive all printed text. Standard input is opened only for writing, and the other two only for reading.
  /// Reading and printing therefore still fail, as on a closed stream.
  ///
  /// While the two signals are ignored, a write that fails returns an error and does not end the program.
  package static func prepare() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor. That is `descriptor`, because all lower ones are open.
      _ = open("/dev/null", mode)
    }
    // A write to a pipe without a reader raises SIGPIPE. A write beyond the limit of a file's size raises
    // SIGXFSZ.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}
