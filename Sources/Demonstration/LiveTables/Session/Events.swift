internal import CTerminal
internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Something that a run reacts to.
enum Event: Sendable {
  /// Keys, or pieces of them.
  case input([UInt8])
  /// Nobody types any more: the terminal is gone.
  case inputEnded
  /// Another size of the terminal.
  case resized
  /// Ctrl-Z.
  case suspended
  /// The process goes on after it was stopped.
  case continued
  /// Ctrl-C, or somebody else who wants the run to end.
  case interrupted
  /// Time has passed.
  case tick
}

/// Keys, signals and time, one after another.
///
/// The sources are on the main queue: while it is busy, they gather what happens instead of queuing it.
@MainActor
final class Events {
  let stream: AsyncStream<Event>
  private var sources: [any DispatchSourceProtocol] = []

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - input: Where keys come from; `nil` where there are none.
  ///   - ofScreen: Whether the terminal's own signals matter, its size and Ctrl-Z, and time passes in frames.
  init(input: Int32?, ofScreen: Bool) throws(SystemFailure) {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    self.stream = stream

    let signals = [SIGINT, SIGTERM, SIGHUP] + (ofScreen ? [SIGWINCH, SIGTSTP, SIGCONT] : [])
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

  /// Ends the watch.
  func cancel() {
    for source in sources { source.cancel() }
  }

  private func add(_ source: any DispatchSourceProtocol, _ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: handler)
    sources.append(source)
    source.activate()
  }

  /// What there is to read; nothing at the end, and `nil` where the system refuses.
  private nonisolated static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = systemRead(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { return nil }
    }
  }
}

// Inside `Events` the name `read` is its own method.
private let systemRead = read
