import Foundation

/// Runs a session, and shows it: on the terminal's screen, or as lines.
@MainActor
final class LiveRun {
  private let session: Session
  private let duration: Duration?
  private let isOnScreen: Bool
  private var terminal: Terminal?
  private var screen = Screen()
  private var nextSecond: Int64 = 0

  init(_ options: Options) {
    session = Session(options)
    duration = options.duration
    isOnScreen = !options.isPlain && Terminal.isAvailable
  }

  /// Runs until the time is up, the user quits, or a signal ends it; returns the audit.
  func run() async throws(SystemFailure) -> Audit {
    // The handlers of signals come first, so that no signal ends the program without restoring the terminal.
    let events = try Events(isOnScreen: isOnScreen)
    defer { events.cancel() }
    if isOnScreen { terminal = try Terminal() }
    _ = show()
    for await event in events.stream {
      screen.isEnding = await !react(to: event)
      if !show() || screen.isEnding { break }
    }
    let audit = await session.end()
    terminal = nil
    return audit
  }

  /// Handles an event; returns whether the run goes on.
  private func react(to event: Event) async -> Bool {
    switch event {
    case .keys(let keys):
      for key in keys where await !press(key) { return false }
    case .inputEnded, .interrupted: return false
    case .resized: break
    case .suspended:
      terminal = nil
      // `raise` stops this thread immediately. If the signal were sent to the process, this thread might run
      // on for a while.
      raise(SIGSTOP)
    case .continued:
      terminal = nil
      terminal = try? Terminal()
      return terminal != nil
    case .tick:
      session.table.pass()
      if let duration, session.elapsed >= duration { return false }
    }
    return true
  }

  private func press(_ key: Key) async -> Bool {
    let page = Screen.capacity(terminal?.size ?? Screen.Size(columns: 0, rows: 0))
    switch screen.press(key, page: page, rowCount: session.table.rows.count) {
    case .quit: return false
    case .restart(let workers): session.restart(workers: workers)
    case .pause: await session.togglePause()
    case .nextStrategy: await session.restart { $0.strategy = $0.strategy.next }
    case .nextLock: await session.restart { $0.lock = $0.lock.next }
    case nil: break
    }
    return true
  }

  /// Shows the session; returns whether the output was accepted.
  private func show() -> Bool {
    if isOnScreen {
      guard let size = terminal?.size else { return true }
      return terminal!.show(screen.picture(of: session, size: size))
    }
    // One line at the beginning, and then one each second.
    let second = session.elapsed.components.seconds
    if second < nextSecond { return true }
    nextSecond = second + 1
    return writeAll(session.figures + "\n", to: STDOUT_FILENO)
  }
}
