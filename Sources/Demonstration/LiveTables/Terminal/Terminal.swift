internal import CTerminal
internal import Commands

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The terminal while it is used for full-screen output.
///
/// The terminal's screen and modes are restored by `restore()`, when the value is destroyed, and when the
/// process crashes. A process can have only one such value at a time; making a second one throws.
package struct Terminal: ~Copyable {
  private let descriptor: Int32

  /// Whether standard output is a terminal that supports control sequences.
  package static var isAvailable: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    guard let name = getenv("TERM") else { return false }
    return !["", "dumb"].contains(String(cString: name))
  }

  /// Takes over the terminal at `descriptor`, switches to the alternate screen and clears it.
  package init(taking descriptor: Int32 = STDOUT_FILENO) throws(SystemFailure) {
    let error = terminal_take(descriptor, Control.enterScreen, Control.leaveScreen)
    guard error == 0 else {
      throw SystemFailure("can't take the terminal", error: error)
    }
    self.descriptor = descriptor
  }

  deinit {
    terminal_restore()
  }

  /// Restores the terminal.
  package consuming func restore() {}

  /// The current size; 80 × 24 if the terminal does not report one.
  package var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Writes a text; returns whether the terminal accepted it.
  package func write(_ text: String) -> Bool {
    OutputFile.writeAll(text, to: descriptor)
  }
}
