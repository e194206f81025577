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
  package enum Status: Int32, Sendable {
    case measured = 0
    case failed = 1
    case wrongArguments = 2
    case slower = 3
    /// The conventional status of a program that was ended by Ctrl-C.
    case interrupted = 130
  }

  private let suites: [Suite]
  private let targets: [Target]
  private let console: any Console
  private let build: BuildDescription
  private let isInterrupted: () -> Bool
  private let contention: () -> String?

  /// Makes the program.
  ///
  /// - Parameter contention: Returns `Report.contention` after the measurements.
  package init(
    suites: [Suite], targets: [Target], console: any Console = StandardConsole(),
    build: BuildDescription = .current, isInterrupted: @escaping () -> Bool = { Interruption.hasHappened },
    contention: @escaping () -> String? = { nil }
  ) {
    self.contention = contention
    self.isInterrupted = isInterrupted
    self.suites = suites
    self.targets = targets
    self.console = console
    self.build = build
  }

  /// Runs the program.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package func run(_ arguments: [String]) -> Status {
    let status = perform(arguments)
    guard let failure = console.failure else { return status }
    console.complain("benchmarks: \(failure)")
    return status == .interrupted ? status : .failed
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

  /// The suites and measured implementations (see `Suite`) that the options select.
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
    var session = Session(
      suites: suites, schedule: options.effort.schedule, processors: machine.processorCount,
      instruments: instruments, seed: run.seed)
    let measurements = session.run(isInterrupted: isInterrupted) { what, done in
      let elapsed = Double(instruments.now() - start) / 1e9
      console.show(progress: ProgressLine(done: done, elapsed: elapsed, what: what).text)
    }
    console.show(progress: "")
    var report = Report(run: run, suites: suites, targets: targets, measurements: measurements)
    report.contention = contention()
    return try publish(report, destinations, options)
  }

  /// Prints a report, writes it to its destinations, and returns the exit status.
  private func publish(
    _ report: Report, _ destinations: consuming Destinations, _ options: Options
  ) throws(FileFailure) -> Status {
    console.print(TextReport(report).text)
    let isPart = report.isInterrupted && options.source == nil
    for path in try destinations.write(report, isPart: isPart) {
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
    return isPart ? .interrupted : status
  }

  private func fail(_ status: Status, _ message: String) -> Status {
    console.complain("benchmarks: \(message)")
    return status
  }
}
