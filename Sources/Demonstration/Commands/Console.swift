#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The output of a command.
///
/// A failure to print does not end the program. The first failure is stored in `failure`. A command whose
/// output failed must return a failure status. Tests use a console that records the output and prints
/// nothing.
package protocol Console {
  /// Prints a result of one or more lines, and a line break after the last one.
  func print(_ text: String)

  /// Prints a line about a problem.
  func complain(_ text: String)

  /// Replaces the progress display; "" clears it.
  func show(progress: String)

  /// The first failure to print; `nil` if there was none.
  var failure: FileFailure? { get }

  /// The number of columns into which printed lines should fit.
  var columns: Int { get }
}

extension Console {
  package var failure: FileFailure? { nil }

  package var columns: Int { 100 }
}

/// Standard output and standard error.
package final class StandardConsole: Console {
  package private(set) var failure: FileFailure?
  private let showsProgress: Bool
  private let width: Int

  package init() {
    showsProgress = isatty(STDERR_FILENO) == 1
    width = Self.columns(of: STDERR_FILENO) ?? 80
  }

  /// The width of the terminal in columns; 100 if standard output is not a terminal.
  package var columns: Int { Self.columns(of: STDOUT_FILENO) ?? 100 }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  package func print(_ text: String) {
    if failure != nil || OutputFile.writeAll(text + "\n", to: STDOUT_FILENO) { return }
    failure = OutputFile.failure("standard output")
  }

  package func complain(_ text: String) {
    // A failure to print a problem is ignored, because the exit status reports the problem too.
    _ = OutputFile.writeAll(text + "\n", to: STDERR_FILENO)
  }

  /// Shows progress in one line of standard error, if that is a terminal; cuts a text that does not fit.
  package func show(progress: String) {
    guard showsProgress else { return }
    // Return to the first column, print the text, and clear the rest of the line. The last column stays free,
    // because terminals differ on where the cursor is after a character in that column.
    _ = OutputFile.writeAll("\r\(progress.prefix(width - 1))\u{1B}[K", to: STDERR_FILENO)
  }
}
