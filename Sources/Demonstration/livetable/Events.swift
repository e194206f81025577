import CTerminal
import Dispatch
import EventSources
import Foundation
import Lifecycles

/// An event that a run handles.
enum Event: Sendable {
  case keys([Key])
  /// The terminal was closed.
  case inputEnded
  case resized
  /// Ctrl-Z: the user suspends the program.
  case suspended
  /// The process continues after it was stopped.
  case continued
  /// Ctrl-C, Ctrl-\, or another signal to end the run.
  case interrupted
  case tick
}

/// Keys, signals and ticks of a clock as one stream of events.
@MainActor
final class Events {
  let stream: AsyncStream<Event>
  private var signals: Activation<ActivatedSource<ReadEvent>>?
  private var sizes: Activation<ActivatedSource<SignalEvent>>?
  private var keys: Activation<ActivatedSource<ReadEvent>>?
  private var ticks: Activation<ActivatedSource<TimerEvent>>?

  /// Starts watching; the caller must call `cancel()` to stop.
  ///
  /// - Parameter isOnScreen: Whether the run is shown on the screen. If so, keys, the terminal's size and
  ///   Ctrl-Z are watched too.
  init(isOnScreen: Bool) throws(SystemFailure) {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    self.stream = stream
    // These signals get a handler in C (see `terminal_watch_signals`), because all but SIGCONT would end or
    // stop the program.
    let handled = [SIGINT, SIGQUIT, SIGTERM, SIGHUP] + (isOnScreen ? [SIGTSTP, SIGCONT] : [])
    let pipe = terminal_watch_signals(
      handled, handled.count, isOnScreen ? nil : "livetable: \(Screen.ending)\n")
    if pipe < 0 { throw SystemFailure("can't watch signals") }
    signals = Self.reading(pipe, label: "signals") {
      for byte in Self.read(pipe) {
        switch Int32(byte) {
        case SIGTSTP: continuation.yield(.suspended)
        case SIGCONT: continuation.yield(.continued)
        default: continuation.yield(.interrupted)
        }
      }
    }
    if isOnScreen {
      sizes = ActivatedSource.signal(SIGWINCH, on: .main, label: "window size") { _ in
        continuation.yield(.resized)
      }
    }
    if isOnScreen, isatty(STDIN_FILENO) == 1 {
      keys = Self.reading(STDIN_FILENO, label: "keys") {
        let bytes = Self.read(STDIN_FILENO)
        continuation.yield(bytes.isEmpty ? .inputEnded : .keys(Key.all(in: bytes)))
      }
    }
    let interval = Duration.milliseconds(isOnScreen ? 50 : 100)
    ticks = ActivatedSource.timer(every: interval, on: .main, label: "ticks") { _ in continuation.yield(.tick)
    }
  }

  func cancel() {
    signals.take()?.invalidate()
    sizes.take()?.invalidate()
    keys.take()?.invalidate()
    ticks.take()?.invalidate()
  }

  private static func reading(
    _ descriptor: Int32, label: StaticString, _ handler: @escaping @Sendable () -> Void
  ) -> Activation<ActivatedSource<ReadEvent>> {
    ActivatedSource.reading(descriptor, closesDescriptor: false, on: .main, label: label) { _ in handler() }
  }

  /// Reads at most 1024 available bytes; returns none at the end of the input, and on an error.
  private nonisolated static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = Foundation.read(descriptor, &bytes, bytes.count)
      if count >= 0 || errno != EINTR { return Array(bytes[..<max(0, count)]) }
    }
  }
}
