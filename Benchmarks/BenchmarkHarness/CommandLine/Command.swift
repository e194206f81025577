package import Commands

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The benchmark program, from its arguments to its exit status.
package struct Command {
  /// The exit statuses, which scripts can rely on.
  package enum Status: Sendable, Equatable {
    case measured
    case failed
    case wrongArguments
    case slower
    /// A signal asked the program to end.
    case interrupted(signal: Int32)

    package var code: Int32 {
      switch self {
      case .measured: 0
      case .failed: 1
      case .wrongArguments: 2
      case .slower: 3
      // Shells report the same status for a program that a signal has ended: for example, 130 after Ctrl-C.
      case .interrupted(let signal): 128 + signal
      }
    }
  }

  private let suites: [Suite]
  private let targets: [Target]
  private let console: any Console
  private let build: BuildDescription
  private let signal: () -> Int32?
  private let limitMilliseconds: Int?
  private let contention: () -> String?

  /// Makes the program.
  ///
  /// - Parameters:
  ///   - signal: Returns the signal that asked the program to end; `nil` if there was none.
  ///   - limitMilliseconds: The time after which a round is given up; `nil` for the limit of the `Schedule`.
  ///   - contention: Returns the value of `Report.contention`; called once after the measurements, and not at
  ///     all if nothing is measured.
  package init(
    suites: [Suite], targets: [Target], console: any Console = StandardConsole(),
    build: BuildDescription = .current, signal: @escaping () -> Int32? = { Interruption.signal },
    limitMilliseconds: Int? = nil,
    contention: @escaping () -> String? = { nil }
  ) {
    self.contention = contention
    self.signal = signal
    self.limitMilliseconds = limitMilliseconds
    self.suites = suites
    self.targets = targets
    self.console = console
    self.build = build
  }

  /// Runs the program, and returns its exit status.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package func run(_ arguments: [String]) -> Status {
    var status = perform(arguments)
    if let failure = console.failure {
      console.complain("benchmarks: \(failure)")
      status = .failed
    }
    if let signal = signal() { status = .interrupted(signal: signal) }
    return status
  }

  private func perform(_ arguments: [String]) -> Status {
    let options: Options
    do {
      options = try Options(parsing: arguments)
    } catch {
      return fail(.wrongArguments, "\(error) (see --help)")
    }
    if options.showsHelp {
      console.print(Options.help)
      return .measured
    }
    do {
      guard let source = options.source else { return try measure(options) }
      let report = try Report(file: source)
      return try publish(report, try Destinations(options), options)
    } catch {
      return fail(.failed, "\(error)")
    }
  }

  /// The suites with only the contests and implementations that the options select; empty suites are left
  /// out.
  private func selection(_ options: Options) -> [Suite] {
    suites.map { $0.limited(to: options.effort).filtered(by: options.filter) }.filter { !$0.contests.isEmpty }
  }

  private func measure(_ options: Options) throws(FileFailure) -> Status {
    let suites = selection(options)
    guard !suites.isEmpty else {
      let texts = options.filter.texts.map { "'\($0)'" }.joined(separator: " or ")
      return fail(
        .wrongArguments, "--filter: nothing has \(texts) in its path (see --list, and --full --list)")
    }
    if options.lists {
      console.print(suites.flatMap(\.paths).joined(separator: "\n"))
      return .measured
    }
    guard !build.isDebug || options.allowsDebug else {
      return fail(
        .failed,
        "a debug build is no measurement: use `swift run -c release benchmarks`,"
          + " or --allow-debug to see that it runs")
    }
    // The files are opened before the measurements, so that a wrong path does not cost minutes of measuring.
    let destinations = try Destinations(options)
    let machine = MachineDescription.current
    let instruments = SystemInstruments()
    let start = instruments.now()
    let run = RunDescription(
      machine: machine, build: build, effort: options.effort, filter: options.filter,
      seed: options.seed ?? start, started: time(nil),
      obstacleToInstructions: SystemInstruments.obstacleToInstructions)
    var schedule = options.effort.schedule
    schedule.limitMilliseconds = limitMilliseconds ?? schedule.limitMilliseconds
    var session = Session(
      suites: suites, schedule: schedule, processors: machine.processorCount,
      instruments: instruments, seed: run.seed)
    let measurements = session.run(isInterrupted: { signal() != nil }) { what, done in
      let elapsed = Double(instruments.now() - start) / 1e9
      console.show(progress: ProgressLine(done: done, elapsed: elapsed, what: what).text)
    }
    console.show(progress: "")
    if let signal = signal() {
      console.complain("benchmarks: ending because of signal \(signal), with the figures that are finished")
    }
    var report = Report(run: run, suites: suites, targets: targets, measurements: measurements)
    report.contention = contention()
    return try publish(report, destinations, options)
  }

  /// Writes a report to its destinations, prints it with the comparison and the check that the options ask
  /// for, and returns the exit status.
  private func publish(
    _ report: Report, _ destinations: consuming Destinations, _ options: Options
  ) throws(FileFailure) -> Status {
    let isPart = report.isInterrupted && options.source == nil
    // The files are written before the report is printed. If printing blocks on a slow reader and a signal
    // ends the program, the files are already complete.
    let kept = Result { () throws(FileFailure) in try destinations.write(report, isPart: isPart) }
    console.print(TextReport(report).text)
    for path in try kept.get() {
      console.complain("benchmarks: \(path) keeps what is in it: the report is incomplete")
    }
    var status = Status.measured
    if let earlier = destinations.earlier {
      let comparison = Comparison(of: report, with: earlier)
      console.print("\n" + comparison.text)
      status = !comparison.slower.isEmpty ? .slower : comparison.isComplete ? .measured : .failed
    }
    if options.checks {
      let check = TargetCheck(report)
      console.print("\n" + check.text)
      if !check.passes { status = .failed }
    }
    for complaint in report.complaints {
      console.complain("benchmarks: \(complaint)")
    }
    if !report.complaints.isEmpty { status = .failed }
    return status
  }

  private func fail(_ status: Status, _ message: String) -> Status {
    console.complain("benchmarks: \(message)")
    return status
  }
}
