import ContentionProfiles
import Foundation
import TestSupport
import Testing

/// Tests the reports of `ContendedProgram`, which runs in a process of its own with `INTERLOCK_CONTENTION`
/// set.
@Suite("The environment variable", .timeLimit(.minutes(10)))
struct ContendedProgramTests {
  /// Makes a process that runs `program`, or `ContendedProgram` if it is `nil`, and writes its report to
  /// `path`.
  ///
  /// The caller must start the process.
  private func process(_ program: URL? = nil, _ arguments: [String] = [], reportingTo path: String) throws
    -> Process
  {
    let process = Process()
    process.executableURL = try program ?? builtProgram("ContendedProgram")
    process.arguments = arguments
    // Turns off backtraces: with ThreadSanitizer, a backtrace would end the program with a different signal
    // than the test expects.
    let variables = ["INTERLOCK_CONTENTION": path, "SWIFT_BACKTRACE": "enable=no"]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    return process
  }

  /// Runs the program, which writes its report to `path`, and waits for its end.
  ///
  /// Returns the text that the program printed to standard output, and the text that it printed to standard
  /// error.
  private func run(_ program: URL? = nil, reportingTo path: String) throws -> (
    output: String, complaint: String
  ) {
    let process = try process(program, reportingTo: path)
    let pipes = (Foundation.Pipe(), Foundation.Pipe())
    (process.standardOutput, process.standardError) = pipes
    try process.run()
    let output = String(decoding: pipes.0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: pipes.1.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return (output, complaint)
  }

  /// Runs `ContendedProgram` with a report in the given format.
  ///
  /// Returns the waiting time for each lock in nanoseconds, as the program itself measured it, and the text
  /// of the report.
  private func run(format: String) throws -> (waits: [Double], report: String) {
    let path = temporaryPath("contention") + "." + format
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (output, complaint) = try run(reportingTo: path)
    #expect(complaint.isEmpty)
    let waits = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return (waits, String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self))
  }

  /// Starts `ContendedProgram` with an argument, `stuck` or `trap`, and calls `body` when its threads wait
  /// forever.
  ///
  /// The arguments of `body` are the process and a closure that reads its report. Kills the process
  /// afterwards if it still runs.
  private func withStuckProgram(
    _ argument: String, _ body: (_ process: Process, _ report: () throws -> Report) throws -> Void
  ) throws {
    let path = temporaryPath("contention") + ".txt"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = try process(nil, [argument], reportingTo: path)
    let output = Foundation.Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "stuck\n")
    try body(process) {
      Report(String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self))
    }
  }

  /// Checks that a report names the waiting threads of the stuck program, their locks, and the holders.
  private func checkStuck(_ report: Report) {
    #expect(report.current.count == 7)
    let settling = report.current.first { $0.waiter.contains("Office.settle()") }
    let archivist = settling?.holder
    for wait in report.current {
      #expect(wait.thread.hasPrefix("thread "))
      if wait.name.contains("\"ledger\"") {
        let isSettling = wait.thread == settling?.thread
        #expect(wait.waiter.hasPrefix(isSettling ? "waits to read in " : "waits to write in "))
        #expect(wait.waiter.contains(isSettling ? "Office.settle()" : "Office.audit()"))
        #expect(wait.holder == archivist && archivist != nil)
      } else {
        #expect(wait.name.contains("\"accounts\"") && wait.waiter.hasPrefix("waits in "))
        #expect(wait.waiter.contains("Office.deposit()"))
        #expect(wait.holder == settling?.thread && wait.holder != archivist)
      }
    }
  }

  @Test("A signal explains a stuck program of eight threads, and SIGTERM leaves a report and ends it")
  func stuck() throws {
    try withStuckProgram("stuck") { process, report in
      kill(process.processIdentifier, SIGUSR2)
      // Reads the report until it has all waits, because the file exists before it is complete.
      while (try? report())?.current.count != 7 {
        #expect(process.isRunning)
        usleep(1_000)
      }
      checkStuck(try report())
      #expect(process.isRunning)
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
      checkStuck(try report())
    }
  }

  @Test("A trap leaves a report, and ends the program as ever")
  func trap() throws {
    try withStuckProgram("trap") { process, report in
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect([SIGILL, SIGTRAP].contains(process.terminationStatus))
      checkStuck(try report())
    }
  }

  @Test(
    "A program whose threads all end by pthread_exit leaves a report, and ends",
    .disabled(if: Sanitizer.isThreadSanitizerActive, "ThreadSanitizer's own thread never ends"))
  func endOfLastThread() throws {
    let path = temporaryPath("contention") + ".txt"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = try process(nil, ["exit"], reportingTo: path)
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    // Half of the watchdog's limit, so that this reports first.
    let limit = Double((Watchdog.limit / 2).components.seconds)
    let isInTime = hasEnded.wait(timeout: .now() + limit) == .success
    #expect(isInTime)
    if !isInTime { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A report that can't be written is a complaint, and the program ends as ever")
  func unwritable() throws {
    let path = temporaryPath("contention") + "/report.txt"
    let complaint = try run(reportingTo: path).complaint
    let expected = "interlock: the report on contention could not be written to \(path) (error "
    #expect(complaint.hasPrefix(expected))
  }

  /// Makes a copy of a program that always runs with the privileges of the user 65534.
  private static func setuidCopy(of program: URL, in folder: URL) throws -> URL {
    let copy = folder.appendingPathComponent(program.lastPathComponent)
    // Another process writes the copy. A process that a parallel test starts could inherit this process's
    // descriptor, and while a file is open for writing, the system refuses to run it.
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/bin/cp")
    copying.arguments = [program.path, copy.path]
    try copying.run()
    copying.waitUntilExit()
    // Sets the owner before the mode, because a change of the owner clears the setuid bit.
    guard chown(copy.path, 65_534, 65_534) == 0, chmod(copy.path, 0o4755) == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
    return copy
  }

  /// Makes a temporary folder that every user can write to, and passes it to `body`.
  private static func withSharedFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = URL(fileURLWithPath: temporaryPath("setuid"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    chmod(folder.path, 0o777)
    return try body(folder)
  }

  /// Whether this process can make setuid programs of another user, and the system obeys the setuid bit.
  ///
  /// Usually only root can make such programs. Some file systems and containers ignore the bit.
  private static let canRaisePrivileges: Bool = {
    let user = try? withSharedFolder { folder in
      let process = Process()
      process.executableURL = try setuidCopy(of: URL(fileURLWithPath: "/usr/bin/id"), in: folder)
      process.arguments = ["-u"]
      let output = Foundation.Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text
    }
    return user == "65534\n"
  }()

  @Test(
    "A program with raised privileges ignores the variable",
    .enabled(if: canRaisePrivileges, "only root can make a setuid program of another user"),
    .disabled(if: Sanitizer.isAddressSanitizerActive, "LeakSanitizer ends where the system refuses a tracer"))
  func raisedPrivileges() throws {
    try Self.withSharedFolder { folder in
      let program = try Self.setuidCopy(of: builtProgram("ContendedProgram"), in: folder)
      let report = folder.appendingPathComponent("report.txt").path
      let complaint = try run(program, reportingTo: report).complaint
      #expect(!FileManager.default.fileExists(atPath: report))
      #expect(complaint.isEmpty)
      // Without the setuid bit, the same program must write its report. This shows that only the raised
      // privileges suppressed the report of the first run.
      chmod(program.path, 0o755)
      _ = try run(program, reportingTo: report)
      #expect(FileManager.default.fileExists(atPath: report))
    }
  }

  /// A function that waits for each of the three locks, and the one that releases it.
  private static let pairs = [
    ("findDocument", "rebuildIndex"), ("saveDocument", "writeBackup"), ("appendToLog", "rotateLog"),
  ]

  /// A text report, in which each stack is on one line.
  private struct Report {
    let text: String

    init(_ text: String) { self.text = text.replacing(/\n {10}(?=\S)/, with: " ") }

    /// The waits that have not ended, if the report says who makes them wait.
    var current: [(Substring, thread: Substring, waiter: Substring, name: Substring, holder: Substring)] {
      let wait =
        /(?m)^\S+ \S+ (?<thread>.+)\n +(?<waiter>waits .+)\n +for (?<name>.+)\n +held by (?<holder>.+)$/
      return text.matches(of: wait).map(\.output)
    }

    /// Each lock with its share of all waiting time in percent, and with the stacks of its first site.
    var locks: [(Substring, percent: Substring, waiter: Substring, releaser: Substring)] {
      let lock =
        /(?m)^ *(?<percent>[\d.]+) % .*\n.*\n +(?<waiter>waits in .+)\n +(?<releaser>released by .+)$/
      return text.matches(of: lock).map(\.output)
    }
  }

  @Test(
    "The shares of three locks are those that the program measures, within 3 points, with the right functions"
  )
  func shares() throws {
    // Runs the program up to fifty times. On a busy machine, a thread may be preempted between the program's
    // reading of the clock and the profile's, and the shares then differ.
    let isClose = try (0..<50).contains { _ in try differenceOfShares() < 0.03 }
    #expect(isClose)
  }

  /// Runs the program, and checks everything in its report except the shares.
  ///
  /// Returns the greatest difference between a share in the report and the share that the program measured
  /// itself, from 0 to 1.
  private func differenceOfShares() throws -> Double {
    var difference = 0.0
    let (waits, text) = try run(format: "txt")
    let report = Report(text)
    #expect(waits.count == 3 && report.locks.count == 3 && report.current.isEmpty, "\(text)")
    for (waited, (waiter, releaser)) in zip(waits, Self.pairs) {
      // The pair that blocked the lock for longest is first.
      let lock = try #require(report.locks.first { $0.waiter.contains(waiter) }, "\(text)")
      let share = try #require(Double(lock.percent)) / 100
      difference = max(difference, abs(share - waited / waits.reduce(0, +)))
      #expect(lock.releaser.contains(releaser), "\(text)")
    }
    return difference
  }

  @Test("The other format has the names of the functions")
  func pprof() throws {
    let (_, text) = try run(format: "pprof")
    for (waiter, releaser) in Self.pairs { #expect(text.contains(waiter) && text.contains(releaser)) }
  }
}
