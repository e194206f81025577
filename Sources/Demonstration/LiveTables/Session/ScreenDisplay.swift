#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The terminal's screen and the frame that it shows.
@MainActor
final class ScreenDisplay {
  private var terminal: Terminal?
  private var shown: Frame?

  /// The number of screen lines for the profile of contention; 0 if it is not shown.
  private let moreLines: Int

  /// Takes over the terminal.
  init(moreLines: Int) throws(SystemFailure) {
    self.moreLines = moreLines
    terminal = try Terminal()
  }

  /// The number of table rows that fit.
  var page: Int { Screen.rowCapacity(of: size, moreLines: moreLines) }

  private var size: Size { terminal?.size ?? Size(columns: 0, rows: 0) }

  /// Draws a state; returns whether the terminal accepted the output.
  func draw(_ state: ScreenState) -> Bool {
    let frame = Screen.frame(state, size: size)
    let sequence = frame.sequence(since: shown)
    shown = frame
    return sequence.isEmpty || terminal?.write(sequence) != false
  }

  /// Restores the terminal, and suspends the process until it receives SIGCONT.
  func suspend() {
    restore()
    // `raise` stops this thread immediately. If the signal were sent to the process, this thread might run on
    // for a while.
    raise(SIGSTOP)
  }

  /// Takes over the terminal again after the process has been continued.
  func resume() throws(SystemFailure) {
    restore()
    terminal = try Terminal()
  }

  /// Restores the terminal.
  func restore() {
    terminal = nil
    shown = nil
  }
}
