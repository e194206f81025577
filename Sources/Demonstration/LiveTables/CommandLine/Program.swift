package import Commands
internal import ViewModels

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The command-line program `livetable`, which shows a table while threads edit it.
@MainActor
package struct Program {
  /// The exit statuses, which scripts can rely on.
  package enum Status: Int32, Sendable {
    case clean = 0
    case failed = 1
    case wrongArguments = 2
  }

  private let console: any Console

  package init(console: any Console = StandardConsole()) {
    self.console = console
  }

  /// Runs the program, and returns its exit status.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package func run(_ arguments: [String]) async -> Status {
    let status = await perform(arguments)
    guard let failure = console.failure else { return status }
    return fail(.failed, failure.description)
  }

  private func perform(_ arguments: [String]) async -> Status {
    let options: Options
    do {
      options = try Options(parsing: arguments)
    } catch {
      return fail(.wrongArguments, "\(error) (see --help)")
    }
    if options.showsHelp {
      console.print(Options.help)
      return .clean
    }
    do {
      let settings = settings(options)
      let recorder = try options.record.map { path in
        try Recorder(to: OutputFile(path: path), seed: settings.seed, initialRows: settings.initialRows)
      }
      let folder = options.save.map { SaveFolder(path: $0) }
      let audit =
        if let path = options.replay {
          try replay(path, options)
        } else {
          try await live(options, settings, recordedBy: recorder, savingTo: folder)
        }
      // A failure to write the recording is thrown only after the audit is printed.
      let recording = Result { try recorder?.finish(audit.model) }
      console.print(options.printsJSON ? try JSON.text(audit) : audit.text)
      try recording.get()
      try folder?.check()
      return audit.isClean ? .clean : .failed
    } catch {
      return fail(.failed, "\(error)")
    }
  }

  func settings(_ options: Options, mostRows: Int = Options.mostRows) -> SessionSettings {
    var settings = SessionSettings(
      seed: options.seed ?? .random(in: 0...UInt64.max),
      initialRows: (0..<min(options.rows ?? 16, mostRows)).map { "row-\($0)" })
    settings.strategy = options.strategy
    settings.core = options.core
    settings.lock = options.lock ?? .biased
    settings.bug = options.bug
    settings.speed = options.speed ?? 1
    return settings
  }

  /// Runs workers that edit a table, shows the table meanwhile, and returns the audit of the run.
  private func live(
    _ options: Options, _ settings: SessionSettings, recordedBy recorder: Recorder?,
    savingTo folder: SaveFolder?
  ) async throws -> Audit {
    let session = try session(settings, recorder: recorder, savingTo: folder)
    var display = LiveRun.Display.screen
    if options.isPlain || !Terminal.isAvailable { display = .lines(console) }
    if options.printsJSON { display = .nothing }
    // Without a keyboard the user can't quit, so the run has a time limit.
    let hasKeys = if case .screen = display { isatty(STDIN_FILENO) == 1 } else { false }
    let contention = options.showsContention ? ContentionView() : nil
    let run = LiveRun(
      session, recordedBy: recorder, on: display, workers: options.workers ?? 8,
      duration: options.duration ?? (hasKeys ? nil : .seconds(10)), contention: contention)
    do {
      try await run.run()
    } catch {
      // Saves, for example, must be ended.
      _ = session.end()
      throw error
    }
    let audit = session.end()
    if let report = contention?.end(columns: console.columns) { console.print(report) }
    return audit
  }

  /// Replays the edits of a recording.
  private func replay(_ path: String, _ options: Options) throws -> Audit {
    let text = try InputFile.text(path: path)
    do {
      let recording = try Recording(parsing: text)
      var settings = SessionSettings(seed: recording.seed, initialRows: recording.initialRows)
      settings.strategy = options.strategy
      settings.core = options.core
      settings.lock = options.lock ?? .biased
      let session = try session(settings)
      try session.replay(recording)
      return session.end(
        recorded: Audit.Rows(count: recording.count, fingerprint: recording.fingerprint))
    } catch let error as RecordingError {
      throw FileFailure("\(path), \(error)")
    }
  }

  private func session(
    _ settings: SessionSettings, recorder: Recorder? = nil, savingTo folder: SaveFolder? = nil
  ) throws(SystemFailure) -> Session {
    guard let core = settings.core else { return Session(settings, recorder: recorder, savingTo: folder) }
    let rows = try core.open(fault: settings.bug == .none ? "" : settings.bug.rawValue)
    return try Session(settings, recorder: recorder, core: rows, savingTo: folder)
  }

  private func fail(_ status: Status, _ message: String) -> Status {
    console.complain("livetable: \(message)")
    return status
  }
}
