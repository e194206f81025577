internal import CTerminal
internal import Dispatch

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
/// The dispatch sources are on the main queue. While that queue is busy, the sources combine events instead
/// of queuing them.
@MainActor
final class Events {
  let stream: AsyncStream<Event>
  private var sources: [any DispatchSourceProtocol] = []

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - input: The descriptor of the keyboard; `nil` if there is none.
  ///   - ofScreen: Whether the run is shown on the screen. If so, the signals for a change of the terminal's
  ///     size and for Ctrl-Z are watched too, and ticks come twice as often.
  init(input: Int32?, ofScreen: Bool) throws(SystemFailure) {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    self.stream = stream

    let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP] + (ofScreen ? [SIGWINCH, SIGTSTP, SIGCONT] : [])
    let pipe = terminal_watch_signals(
      signals, signals.count, ofScreen ? nil : "livetable: \(Screen.ending)\n")
    guard pipe >= 0 else { throw SystemFailure("can't watch signals") }
    add(DispatchSource.makeReadSource(fileDescriptor: pipe, queue: .main)) { @Sendable in
      for byte in Self.read(pipe) ?? [] {
        switch Int32(byte) {
        case SIGWINCH: continuation.yield(.resized)
        case SIGTSTP: continuation.yield(.suspended)
        case SIGCONT: continuation.yield(.continued)
        default: continuation.yield(.interrupted)
        }
      }
    }

    if let input {
      add(DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)) { @Sendable in
        let bytes = Self.read(input) ?? []
        continuation.yield(bytes.isEmpty ? .inputEnded : .input(bytes))
      }
    }

    let timer = DispatchSource.makeTimerSource(queue: .main)
    let interval = DispatchTimeInterval.milliseconds(ofScreen ? 50 : 100)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    add(timer) { @Sendable in continuation.yield(.tick) }
  }

  /// Stops watching.
  func cancel() {
    for source in sources { source.cancel() }
  }

  private func add(_ source: any DispatchSourceProtocol, _ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: handler)
    sources.append(source)
    source.activate()
  }

  /// Reads the available bytes; returns no bytes at the end of the input, and `nil` on an error.
  private nonisolated static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = systemRead(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { return nil }
    }
  }
}

// The system's `read`: inside `Events`, the name `read` means its method.
private let systemRead = read
