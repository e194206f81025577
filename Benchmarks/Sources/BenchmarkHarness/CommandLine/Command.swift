internal import Foundation

/// The benchmark program, from its arguments to its exit status.
package struct Command {
  /// The exit statuses, which scripts can rely on.
  package enum Status {
    package static let measured: Int32 = 0
    package static let failed: Int32 = 1
    package static let wrongArguments: Int32 = 2
    package static let slower: Int32 = 3
    /// Shells add the signal's number for a program that a signal has ended: for example, 130 after Ctrl-C.
    package static let interrupted: Int32 = 128
  }

  private let suites: [Suite]
  private let targets: [Target]
  private let console: any Console
  private let signal: () -> Int32?
  private let limit: Int?

  /// Makes the program.
  ///
  /// - Parameters:
  ///   - signal: Returns the signal that asked the program to end; `nil` if there was none.
  ///   - limit: The time after which a round is given up, in milliseconds; `nil` for that of the `Schedule`.
  package init(
    suites: [Suite], targets: [Target], console: any Console = StandardConsole(),
    signal: @escaping () -> Int32? = { Interruption.signal }, limit: Int? = nil
  ) {
    self.suites = suites
    self.targets = targets
    self.console = console
    self.signal = signal
    self.limit = limit
  }

  /// Runs the program, and returns its exit status.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package func run(_ arguments: [String]) -> Int32 {
    var status: Int32
    do {
      status = try perform(try Options(parsing: arguments))
    } catch {
      status = fail(Status.wrongArguments, "\(error) (see --help)")
    }
    if let failure = console.failure { status = fail(Status.failed, "\(failure)") }
    if let signal = signal() { status = Status.interrupted + signal }
    return status
  }

  /// Throws if the arguments select nothing.
  private func perform(_ options: Options) throws(Failure) -> Int32 {
    if options.flags.contains("--help") {
      console.print(Options.help)
      return Status.measured
    }
    let suites = suites.map { $0.selected(by: options.filter, effort: options.effort) }
      .filter { !$0.contests.isEmpty }
    if suites.isEmpty { throw Failure("--filter: nothing has \(options.filter) in its path") }
    if options.flags.contains("--list") {
      console.print(suites.flatMap(\.paths).joined(separator: "\n"))
      return Status.measured
    }
    do {
      let source = try options.paths["--from"].map(Self.report)
      let run = RunDescription(
        machine: .current, effort: options.effort, filter: options.filter, startedAtUnixTime: time(nil))
      if source == nil, run.isDebug, !options.flags.contains("--allow-debug") {
        throw Failure("a debug build is no measurement: use -c release, or --allow-debug to see that it runs")
      }
      // The earlier report is read before any file is written, because the new report may go to the same file.
      let earlier = try options.paths["--compare"].map(Self.report)
      let json = try options.paths["--json"].map(OutputFile.init)
      let html = try options.paths["--html"].map(OutputFile.init)
      let report = source ?? measure(suites, run)
      // The files are written before the report is printed. If printing blocks on a slow reader and a signal
      // ends the program, the files are already complete.
      let document = Document(report, targets: targets)
      let isPart = source == nil && report.isInterrupted
      let writing = Result {
        if let json { try write(try report.json, to: json, isPart: isPart) }
        if let html { try write(document.page, to: html, isPart: isPart) }
        if let directory = options.paths["--svg"] {
          try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
          for chart in document.charts {
            let file = try OutputFile(path: "\(directory)/\(chart.fileName).svg")
            try write(chart.document, to: file, isPart: isPart)
          }
        }
      }
      console.print(document.text)
      try writing.get()
      return judge(report, earlier, checks: options.flags.contains("--check"))
    } catch {
      return fail(Status.failed, "\(error)")
    }
  }

  private func measure(_ suites: [Suite], _ run: RunDescription) -> Report {
    var schedule = run.effort.schedule
    schedule.limit = limit ?? schedule.limit
    let instruments = SystemInstruments()
    var session = Session(suites: suites, run: run, schedule: schedule, instruments: instruments)
    let start = instruments.now()
    let report = session.measure(isInterrupted: { signal() != nil }) { what, done in
      let elapsed = Double(instruments.now() - start) / 1e9
      console.show(progress: Self.progress(done: done, elapsed: elapsed, what: what))
    }
    console.show(progress: "")
    if let signal = signal() {
      console.complain("benchmarks: ending because of signal \(signal), with the figures that are finished")
    }
    return report
  }

  /// The progress of a run in one line: a bar, the finished share, the time left and the current measurement.
  ///
  /// - Parameters:
  ///   - done: The finished share, from 0 to 1.
  ///   - elapsed: The time since the run began, in seconds.
  static func progress(done: Double, elapsed: Double, what: String) -> String {
    let filled = Int((done * 20).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: " ", count: 20 - filled)
    let left = done > 0.01 ? Int((elapsed / done * (1 - done)).rounded()) : nil
    let estimate = left.map { String(format: ", %d:%02d left", $0 / 60, $0 % 60) } ?? ""
    return "▕\(bar)▏ \(Figures.fixed(done * 100, 0)) %\(estimate)  \(what)"
  }

  /// A part of a report does not replace the contents of a file.
  private func write(_ text: String, to file: OutputFile, isPart: Bool) throws(Failure) {
    if isPart, !file.wasEmpty {
      console.complain("benchmarks: \(file.path) keeps what is in it: the report is incomplete")
    } else {
      try file.write(text)
    }
  }

  /// Prints the comparison with an earlier report and the complaints, and returns the exit status.
  private func judge(_ report: Report, _ earlier: Report?, checks: Bool) -> Int32 {
    var status = Status.measured
    if let earlier {
      let comparison = Comparison(of: report, with: earlier)
      console.print("\n" + comparison.text)
      status =
        !comparison.slower.isEmpty ? Status.slower : comparison.isComplete ? Status.measured : Status.failed
    }
    if checks, !TargetCheck(targets, in: report).passes {
      status = fail(Status.failed, "--check: not all targets hold")
    }
    for complaint in report.complaints { status = fail(Status.failed, complaint) }
    return status
  }

  private static func report(_ path: String) throws -> Report {
    do {
      return try Report(json: String(contentsOfFile: path, encoding: .utf8))
    } catch {
      throw Failure("\(path) can't be read as a report: \(error)")
    }
  }

  private func fail(_ status: Int32, _ message: String) -> Int32 {
    console.complain("benchmarks: \(message)")
    return status
  }
}
