#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Where the command prints.
///
/// Tests put a recording one in place of the terminal.
package protocol Console {
  /// Results: one or more lines, without the last line's end.
  func print(_ text: String)

  /// A line about what is wrong.
  func complain(_ text: String)

  /// Shows what is going on now, in place of what was shown before; "" shows nothing.
  func show(progress: String)
}

/// Standard output and standard error.
package struct StandardConsole: Console {
  private let showsProgress: Bool
  private let width: Int

  package init() {
    showsProgress = isatty(STDERR_FILENO) == 1
    var size = winsize()
    let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = known ? Int(size.ws_col) : 80
  }

  package func print(_ text: String) {
    Self.write(text + "\n", to: STDOUT_FILENO)
  }

  package func complain(_ text: String) {
    Self.write(text + "\n", to: STDERR_FILENO)
  }

  /// Only on a terminal; it never takes more than one line.
  package func show(progress: String) {
    guard showsProgress else { return }
    // Back to the first column, the text, and clear what is right of it.
    Self.write("\r\(progress.prefix(width - 1))\u{1B}[K", to: STDERR_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    OutputFile.writeAll(text, to: descriptor)
  }
}
