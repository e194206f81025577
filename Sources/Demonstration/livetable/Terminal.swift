import CTerminal
import Foundation

/// An error of a system call.
struct SystemFailure: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, error: Int32 = errno) {
    description = "\(what): \(String(cString: strerror(error)))"
  }
}

/// Standard output while it shows a screen; the terminal is restored when the value is destroyed.
///
/// A process can have one such value at a time.
struct Terminal: ~Copyable {
  private var shown = ""

  /// Whether standard output is a terminal that supports control sequences.
  static var isAvailable: Bool {
    guard isatty(STDOUT_FILENO) == 1, let name = getenv("TERM") else { return false }
    return !["", "dumb"].contains(String(cString: name))
  }

  init() throws(SystemFailure) {
    let error = terminal_take(STDOUT_FILENO, Control.enterScreen, Control.leaveScreen)
    if error != 0 { throw SystemFailure("can't take the terminal", error: error) }
  }

  deinit {
    terminal_restore()
  }

  /// The size; 80 × 24 if the terminal does not report one.
  var size: Screen.Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Screen.Size(columns: 80, rows: 24)
    }
    return Screen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Writes a picture, if it is another one than before; returns whether the terminal accepted it.
  mutating func show(_ picture: String) -> Bool {
    if picture == shown { return true }
    shown = picture
    return writeAll(picture, to: STDOUT_FILENO)
  }
}

/// Writes all of a text, and blocks while the descriptor has no room; returns `false`, with `errno`, on a failure.
func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
