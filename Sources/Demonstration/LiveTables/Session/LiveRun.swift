internal import Commands
internal import ViewModels

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Runs a `Session`, and shows it during the run: on the terminal's screen, as lines of text, or not at all.
@MainActor
final class LiveRun {
  /// How a run is shown.
  enum Display {
    /// Takes over the terminal's screen for the whole run.
    case screen
    case lines(any Console)
    case nothing
  }

  private let session: Session
  private let recorder: Recorder?
  private let display: Display
  /// The display on the terminal's screen; `nil` if the run has not taken over the terminal.
  private var screen: ScreenDisplay?
  private let workers: Int
  /// The duration of the run; `nil` to run until the user quits.
  private let duration: Duration?

  private var controls = Controls()
  private var parser = KeyParser()
  private var isEnding = false
  /// The profile of contention; `nil` if none is recorded.
  private var contention: ContentionView?
  /// The elapsed time, in seconds, at which the next line of figures is printed.
  private var secondsShown = 0

  init(
    _ session: Session, recordedBy recorder: Recorder?, on display: Display, workers: Int,
    duration: Duration?,
    contention: ContentionView? = nil
  ) {
    self.session = session
    self.recorder = recorder
    self.display = display
    self.workers = workers
    self.duration = duration
    self.contention = contention
  }

  /// Runs until the time is up, the user quits, or a signal ends it.
  func run() async throws(SystemFailure) {
    let isOnScreen = if case .screen = display { true } else { false }
    // Install the signal handlers before taking over the terminal, so that no signal ends the program without
    // restoring the terminal.
    let events = try Events(
      input: isOnScreen && isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : nil, ofScreen: isOnScreen)
    defer { events.cancel() }
    if isOnScreen {
      screen = try ScreenDisplay(moreLines: contention == nil ? 0 : ContentionView.lineCount)
    }
    // Restore the screen before `run` returns, because its caller prints the results on the original screen.
    defer { screen?.restore() }
    session.restart(workers: workers)
    show()
    for await event in events.stream {
      react(to: event)
      show()
      if isEnding { break }
    }
  }

  private func react(to event: Event) {
    switch event {
    case .input(let bytes):
      for key in parser.parse(bytes) { press(key) }
    case .inputEnded, .interrupted:
      isEnding = true
    case .resized:
      break
    case .suspended:
      screen?.suspend()
    case .continued:
      // If the terminal can't be taken over again, the run ends.
      if (try? screen?.resume()) == nil { isEnding = true }
    case .tick:
      recorder?.flush()
      if recorder?.failure != nil || session.saveFailure != nil { isEnding = true }
      if let duration, session.elapsed >= duration { isEnding = true }
    }
  }

  private func press(_ key: Key) {
    guard let screen else { return }
    switch controls.press(key, page: screen.page) {
    case nil: break
    case .quit: isEnding = true
    case .restart(let workers): session.restart(workers: workers)
    case .rename(let name): session.player.perform(.rename(name))
    case .upload: session.player.perform(.upload)
    case .stepUp: session.player.perform(.stepUp)
    case .stepDown: session.player.perform(.stepDown)
    case .search(let text): session.search(for: text)
    case .showFound: session.showFound()
    case .shelve: session.shelve(controls.start)
    case .unshelve: session.unshelve(to: controls.start)
    }
  }

  private func show() {
    switch display {
    case .screen:
      guard let screen else { return }
      var state = session.screen(&controls, page: screen.page)
      state.contention = contention?.lines() ?? []
      state.isEnding = isEnding
      if !screen.draw(state) { isEnding = true }
    case .lines(let console):
      let seconds = Int(session.elapsed / .seconds(1))
      // One line is printed at the beginning, and then one each second.
      guard seconds >= secondsShown else { return }
      secondsShown = seconds + 1
      console.print(session.figures.text)
      for line in contention?.lines() ?? [] where !line.isEmpty {
        console.print(line.count <= console.columns ? line : line.prefix(console.columns - 1) + "…")
      }
      if console.failure != nil { isEnding = true }
    case .nothing: break
    }
  }
}
