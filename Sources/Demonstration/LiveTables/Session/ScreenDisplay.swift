#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The terminal's screen, with the frame that it shows.
@MainActor
final class ScreenDisplay {
  private var terminal: Terminal?
  private var shown: Frame?

  /// Takes the terminal.
  init() throws(SystemFailure) {
    terminal = try Terminal()
  }

  /// How many rows of the table fit.
  var page: Int { Screen.rowCapacity(of: size) }

  private var size: Size { terminal?.size ?? Size(columns: 0, rows: 0) }

  func draw(_ state: ScreenState) {
    let frame = Screen.frame(state, size: size)
    let sequence = frame.sequence(since: shown)
    if !sequence.isEmpty { terminal?.write(sequence) }
    shown = frame
  }

  /// Gives the terminal back, stops the process, and takes the terminal again when it is continued.
  func suspend() throws(SystemFailure) {
    restore()
    // Sent to this thread, which is then stopped here; sent to the process, this thread might go on for a
    // while.
    raise(SIGSTOP)
    terminal = try Terminal()
  }

  /// Gives the terminal back.
  func restore() {
    terminal = nil
    shown = nil
  }
}
