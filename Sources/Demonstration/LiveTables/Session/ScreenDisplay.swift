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

  /// Returns whether the terminal took it.
  func draw(_ state: ScreenState) -> Bool {
    let frame = Screen.frame(state, size: size)
    let sequence = frame.sequence(since: shown)
    shown = frame
    return sequence.isEmpty || terminal?.write(sequence) != false
  }

  /// Gives the terminal back and stops the process.
  func suspend() {
    restore()
    // Sent to this thread, which is then stopped here; sent to the process, this thread might go on for a
    // while.
    raise(SIGSTOP)
  }

  /// Takes the terminal again when the process has been continued, whoever stopped it.
  func resume() throws(SystemFailure) {
    restore()
    terminal = try Terminal()
  }

  /// Gives the terminal back.
  func restore() {
    terminal = nil
    shown = nil
  }
}
