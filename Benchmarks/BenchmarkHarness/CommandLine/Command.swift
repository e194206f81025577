package import Commands

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The program: from its arguments to its exit status.
package struct Command {
  /// The exit statuses, in numbers that scripts can rely on.
  package enum Status: Int32, Sendable {
    case measured = 0
    case failed = 1
    case wrongArguments = 2
  }

  private let suites: [Suite]
  private let targets: [Target]
  private let console: any Console
  private let build: BuildDescription

  package init(
    suites: [Suite], targets: [Target], console: any Console = StandardConsole(),
    build: BuildDescription = .current
  ) {
    self.suites = suites
    self.targets = targets
    self.console = console
    self.build = build
  }

  /// - Parameter arguments: Without the program's name.
  package func run(_ arguments: [String]) -> Status {
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
    let suites = self.suites.map { $0.filtered(by: options.filter) }.filter { !$0.contests.isEmpty }
    guard !suites.isEmpty else {
      let texts = options.filter.texts.map { "'\($0)'" }.joined(separator: " or ")
      return fail(.wrongArguments, "--filter: nothing has \(texts) in its path (see --list)")
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
    do {
      return try measure(suites, options)
    } catch {
      return fail(.failed, "--json: \(error)")
    }
  }

  private func measure(_ suites: [Suite], _ options: Options) throws(OutputFile.Failure) -> Status {
    // Before the minutes of measuring, so that they are not lost.
    var file: OutputFile?
    if let path = options.json {
      file = try OutputFile(path: path)
    }
    let machine = MachineDescription.current
    let run = RunDescription(machine: machine, build: build, options: options, started: time(nil))
    var session = Session(
      suites: suites, schedule: options.effort.schedule, processors: machine.processorCount,
      instruments: SystemInstruments())
    let measurements = session.run { what, done in
      console.show(progress: "\(Figures.fixed(done * 100, 0)) %  \(what)")
    }
    console.show(progress: "")

    let outcomes = targets.compactMap { $0.outcome(in: measurements) }
    console.print(
      TextReport(run: run, suites: suites, measurements: measurements, targets: outcomes).text)
    if let file = file.take() {
      try file.write(JSONReport(run: run, measurements: measurements, targets: outcomes).document.text + "\n")
    }
    for complaint in measurements.complaints {
      console.complain("benchmarks: \(complaint)")
    }
    return measurements.complaints.isEmpty ? .measured : .failed
  }

  private func fail(_ status: Status, _ message: String) -> Status {
    console.complain("benchmarks: \(message)")
    return status
  }
}
