import Foundation
import TestSupport
import Testing

@testable import livetable

/// The program `livetable`, in a terminal of its own or with pipes.
///
/// The functions wait for output, and not for a fixed time. They throw `Timeout` if the output has not come by
/// the watchdog's limit.
final class ProgramUnderTest {
  struct Timeout: Error {
    var expectation: String
    var output: String
  }

  private let master: Int32
  /// The program's end of the terminal, kept open to read the modes even after the program has ended.
  private let slave: Int32
  private let process: pid_t
  private var status: Int32?
  private let deadline = Watchdog.time + Watchdog.limit
  /// The modes of the terminal before the program was started.
  let modesBefore: [UInt8]
  /// The output so far, with all control sequences.
  private(set) var output = ""

  /// Starts the program in a new terminal.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - name: The kind of the terminal; "dumb" for one that only prints.
  init(_ arguments: [String], terminal name: String = "xterm") throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    modesBefore = Self.modes(of: slave)
    let path = String(cString: ttyname(slave))
    process = try Self.spawn(arguments, terminal: name) { actions in
      // The first terminal that the program of a new session opens becomes its controlling one.
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    }
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(slave)
    close(master)
  }

  // MARK: What one sees

  /// The last complete picture, as lines without styles.
  var picture: [String] {
    let pictures = output.components(separatedBy: Control.home)
    let last = pictures.last { $0.contains(Control.clearBelow) } ?? ""
    return last.components(separatedBy: Control.clearBelow)[0].components(separatedBy: "\r\n").map { line in
      line.replacing(/\u{1B}\[[0-9;]*[a-zA-Z]/, with: "")
    }
  }

  /// The text after the screen was left.
  var afterScreen: String { output.components(separatedBy: Control.leaveScreen).last ?? "" }

  var modes: [UInt8] { Self.modes(of: slave) }

  private static func modes(of descriptor: Int32) -> [UInt8] {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return withUnsafeBytes(of: modes) { Array($0) }
  }

  func wait(for expectation: String, until isMet: (ProgramUnderTest) -> Bool) throws {
    while !isMet(self) {
      guard try read(expectation) else {
        throw Timeout(expectation: "\(expectation) (ended)", output: output)
      }
    }
  }

  /// Reads output until the program has ended; returns its status, or the negated number of its signal.
  func waitForExit() throws -> Int32 {
    while try read("the end") {}
    return try #require(status)
  }

  /// Reads output until the program is suspended, including everything that it wrote before.
  func waitUntilStopped() throws {
    var code: Int32 = 0
    while waitpid(process, &code, WNOHANG | WUNTRACED) != process { _ = try read("the stop") }
    try #require(code & 0xFF == 0x7F, "the program ended instead of stopping")
    try readRest()
  }

  /// Returns `false` when the program has ended and everything was read.
  private func read(_ expectation: String) throws -> Bool {
    if hasEnded {
      try readRest()
      return false
    }
    readSome()
    if Watchdog.time >= deadline { throw Timeout(expectation: expectation, output: output) }
    return true
  }

  /// Reads all that the program has written; it must have ended or stopped.
  ///
  /// A terminal passes output on a moment later, so a mark is written after it.
  private func readRest() throws {
    let mark = "\u{1E}"
    _ = writeAll(mark, to: slave)
    while !output.contains(mark) {
      readSome()
      if Watchdog.time >= deadline { throw Timeout(expectation: "the rest", output: output) }
    }
    output.removeAll { $0 == "\u{1E}" }
  }

  private func readSome() {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 50) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(master, &bytes, bytes.count)
    output += String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  private var hasEnded: Bool {
    var code: Int32 = 0
    if status == nil, waitpid(process, &code, WNOHANG) == process { status = Self.status(code) }
    return status != nil
  }

  // MARK: What one does

  func type(_ text: String) { _ = writeAll(text, to: master) }

  func send(_ signal: Int32) { kill(process, signal) }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  // MARK: Without a terminal

  /// Runs the program with pipes until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - closesOutput: Whether standard output is closed when the program starts.
  ///   - signal: Sent when the program has printed something; `nil` for none.
  static func run(
    _ arguments: [String], closesOutput: Bool = false, signal: Int32? = nil
  ) async throws -> (status: Int32, output: String, error: String) {
    // On a thread of its own: the program may end late, and tests that run meanwhile need the pool's threads.
    try await onAThread { Result { try waitForEnd(arguments, closesOutput, signal) } }.get()
  }

  private static func waitForEnd(
    _ arguments: [String], _ closesOutput: Bool, _ signal: Int32?
  ) throws -> (status: Int32, output: String, error: String) {
    let (printed, complaints) = (Foundation.Pipe(), Foundation.Pipe())
    for end in [printed, complaints].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    let process = try spawn(arguments, terminal: "xterm") { actions in
      posix_spawn_file_actions_adddup2(&actions, printed.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(
        &actions, complaints.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
      if closesOutput { posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO) }
    }
    printed.fileHandleForWriting.closeFile()
    complaints.fileHandleForWriting.closeFile()
    // Half of the watchdog's limit, so that this reports first.
    let deadline = Watchdog.time + Watchdog.limit / 2
    var (output, error) = (Data(), Data())
    var code: Int32 = 0
    do {
      try read(printed.fileHandleForReading, into: &output, toTheEnd: false, by: deadline, process)
      if let signal { kill(process, signal) }
      try read(printed.fileHandleForReading, into: &output, toTheEnd: true, by: deadline, process)
      try read(complaints.fileHandleForReading, into: &error, toTheEnd: true, by: deadline, process)
    } catch {
      kill(process, SIGKILL)
      waitpid(process, &code, 0)
      throw error
    }
    waitpid(process, &code, 0)
    return (status(code), String(decoding: output, as: UTF8.self), String(decoding: error, as: UTF8.self))
  }

  /// Reads until all processes have closed the other end of a pipe, or until something has come.
  ///
  /// The error after the deadline says, on Linux, where the threads of `process` wait, and which processes have
  /// the pipe open.
  private static func read(
    _ pipe: FileHandle, into data: inout Data, toTheEnd: Bool, by deadline: Duration, _ process: pid_t
  ) throws {
    while true {
      var entry = pollfd(fd: pipe.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 100) > 0 {
        let bytes = pipe.availableData
        data += bytes
        if bytes.isEmpty || !toTheEnd { return }
      } else if Watchdog.time >= deadline {
        let end = "/proc/self/fd/\(pipe.fileDescriptor)"
        let expectation = "the end of \(process)\n\(threads(of: process))\nits pipe: \(holders(of: end))"
        throw Timeout(expectation: expectation, output: String(decoding: data, as: UTF8.self))
      }
    }
  }

  /// A line for each thread: its number, name and state, where it waits in the kernel, and in which system call.
  private static func threads(of process: pid_t) -> String {
    let folder = "/proc/\(process)/task"
    return names(in: folder).map { thread in
      ["stat", "wchan", "syscall"].map { name in
        let text = try? String(contentsOfFile: "\(folder)/\(thread)/\(name)", encoding: .utf8)
        return (text ?? "").split(separator: " ").prefix(3).joined(separator: " ")
      }
      .joined(separator: " ")
    }
    .joined(separator: "\n")
  }

  /// The processes that have the pipe with the path `end` open.
  private static func holders(of end: String) -> [String] {
    let pipe = try? FileManager.default.destinationOfSymbolicLink(atPath: end)
    return names(in: "/proc").filter { process in
      let folder = "/proc/\(process)/fd"
      return Int32(process) != nil
        && names(in: folder).contains {
          pipe != nil
            && pipe == (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
        }
    }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static func status(_ code: Int32) -> Int32 {
    code & 0x7F == 0 ? code >> 8 & 0xFF : -(code & 0x7F)
  }

  /// The flag `POSIX_SPAWN_SETSID` of the system, which is hidden from Swift.
  private static var newSession: Int32 {
    #if canImport(Darwin)
      0x400
    #else
      0x80
    #endif
  }

  private static func spawn(
    _ arguments: [String], terminal: String, _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    let program = try builtProgram("livetable").path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A program inherits blocked signals from a test's thread, and ignored ones from the process of the tests.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | newSession
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var variables = ProcessInfo.processInfo.environment
    variables["TERM"] = terminal
    // A program that crashes on purpose needs no crash report, and a sanitizer must not handle the crash.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    let handlers = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
    variables["ASAN_OPTIONS"] = "detect_leaks=0:\(handlers)"
    variables["TSAN_OPTIONS"] = handlers
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var process = pid_t()
    try #require(posix_spawn(&process, program, &actions, &attributes, words, settings) == 0)
    return process
  }
}
