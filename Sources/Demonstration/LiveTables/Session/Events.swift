internal import CTerminal
internal import Dispatch
internal import EventSources
internal import Lifecycles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// An event that a run handles.
enum Event: Sendable {
  /// Bytes that the keyboard has sent.
  ///
  /// The bytes of one key may be split between events.
  case input([UInt8])
  /// The end of input: the terminal was closed.
  case inputEnded
  /// The terminal was resized.
  case resized
  /// Ctrl-Z: the user suspends the program.
  case suspended
  /// The process continues after it was stopped.
  case continued
  /// Ctrl-C, Ctrl-\, or another signal to end the run.
  case interrupted
  /// A tick of the clock.
  case tick
}

/// Keys, signals and ticks of a clock as one stream of events.
///
/// The event sources run on the main queue. While that queue is busy, each source combines its events instead
/// of queuing them.
@MainActor
final class Events {
  let stream: AsyncStream<Event>
  private var signals: Activation<ActivatedSource<ReadEvent>>?
  private var sizes: Activation<ActivatedSource<SignalEvent>>?
  private var keys: Activation<ActivatedSource<ReadEvent>>?
  private var ticks: Activation<ActivatedSource<TimerEvent>>?

  /// Starts watching; the caller must call `cancel()` to stop.
  ///
  /// - Parameters:
  ///   - input: The descriptor of the keyboard; `nil` if there is none.
  ///   - ofScreen: Whether the run is shown on the screen. If so, changes of the terminal's size and Ctrl-Z
  ///     are watched too, and a tick comes every 50 ms. Otherwise a tick comes every 100 ms.
  init(input: Int32?, ofScreen: Bool) throws(SystemFailure) {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    self.stream = stream

    // These signals get a handler in C (see `terminal_watch_signals`), because all except SIGCONT would
    // otherwise end or stop the program.
    let handled = [SIGINT, SIGQUIT, SIGTERM, SIGHUP] + (ofScreen ? [SIGTSTP, SIGCONT] : [])
    let pipe = terminal_watch_signals(
      handled, handled.count, ofScreen ? nil : "livetable: \(Screen.ending)\n")
    guard pipe >= 0 else { throw SystemFailure("can't watch signals") }
    signals = Self.reading(pipe, label: "signals") {
      for byte in Self.read(pipe) ?? [] {
        switch Int32(byte) {
        case SIGTSTP: continuation.yield(.suspended)
        case SIGCONT: continuation.yield(.continued)
        default: continuation.yield(.interrupted)
        }
      }
    }

    if ofScreen {
      // SIGWINCH needs no handler in C, because it neither ends nor stops a program.
      var setup = Setup<ActivatedSource<SignalEvent>>(.signal(SIGWINCH, on: .main, label: "window size"))
      setup.configuration.onEvent = { _ in continuation.yield(.resized) }
      sizes = setup.activate()
    }

    if let input {
      keys = Self.reading(input, label: "keys") {
        let bytes = Self.read(input) ?? []
        continuation.yield(bytes.isEmpty ? .inputEnded : .input(bytes))
      }
    }

    let interval = Duration.milliseconds(ofScreen ? 50 : 100)
    var setup = Setup<ActivatedSource<TimerEvent>>(
      .timer(after: interval, every: interval, on: .main, label: "ticks"))
    setup.configuration.onEvent = { _ in continuation.yield(.tick) }
    ticks = setup.activate()
  }

  /// Stops watching.
  func cancel() {
    signals.take()?.invalidate()
    sizes.take()?.invalidate()
    keys.take()?.invalidate()
    ticks.take()?.invalidate()
  }

  /// Starts calling `handler` on the main queue whenever `descriptor` has something to read.
  ///
  /// The caller must invalidate the result to stop the calls.
  private static func reading(
    _ descriptor: Int32, label: StaticString, _ handler: @escaping @Sendable () -> Void
  ) -> Activation<ActivatedSource<ReadEvent>> {
    var setup = Setup<ActivatedSource<ReadEvent>>(
      .reading(descriptor, closesDescriptor: false, on: .main, label: label))
    setup.configuration.onEvent = { _ in handler() }
    return setup.activate()
  }

  /// Reads at most 1024 available bytes; returns no bytes at the end of the input, and `nil` on an error.
  private nonisolated static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = systemRead(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { return nil }
    }
  }
}

// The system's function `read`. Inside `Events`, the plain name would mean the method `read(_:)`.
private let systemRead = read
