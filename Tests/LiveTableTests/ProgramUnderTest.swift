internal import CPseudoTerminal
internal import Foundation
internal import LiveTables
internal import TestSupport
internal import Testing

/// A program that runs in a pseudo-terminal of its own, with a simulated user.
///
/// The functions wait for the expected output, and not for a fixed time. If the output has not come by the
/// deadline, which is far beyond any normal run, they throw `Timeout`.
final class ProgramUnderTest {
  /// Thrown if the program ends, or the deadline passes, before the expected output has come.
  struct Timeout: Error, CustomStringConvertible {
    var description: String
  }

  private let terminal: PseudoTerminal
  private let process: pid_t
  private var status: Int32?

  private(set) var screen = Screenful()
  private var output: [UInt8] = []
  private var size: Size
  private let deadline = Watchdog.time + Watchdog.limit

  /// The modes of the terminal before the program was started.
  let modesBefore: [UInt8]

  /// Starts a program in a new pseudo-terminal of the given size.
  init(
    _ arguments: [String], program: String = "livetable", size: Size = Size(columns: 80, rows: 24),
    terminal name: String = "xterm"
  ) throws {
    self.size = size
    terminal = try PseudoTerminal(size: size)
    modesBefore = terminal.modes
    process = try Self.spawn(
      program, arguments, environment: ["TERM": name], descriptors: .terminal(terminal.path))
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  // MARK: What one sees

  var lines: [String] { screen.text(size) }

  /// The output so far, with all control sequences.
  var raw: String { String(decoding: output, as: UTF8.self) }

  var modes: [UInt8] { terminal.modes }

  /// Reads output until the screen is as expected.
  ///
  /// Throws `Timeout` if the program ends first, or if the deadline has passed. `comment` names the
  /// expectation in the message of the error.
  func wait(_ comment: String, until isAsExpected: (ProgramUnderTest) -> Bool) throws {
    while !isAsExpected(self) {
      guard try read(comment) else {
        throw Timeout(description: "the program ended before: \(comment)\n\(picture)")
      }
    }
  }

  /// Reads output until the program has ended.
  ///
  /// - Returns: The program's exit status, or the negated number of the signal that ended the program.
  func waitForExit() throws -> Int32 {
    while try read("the end") {}
    return try #require(status)
  }

  /// Reads output until the program is suspended, including everything that the program wrote before.
  func waitUntilStopped() throws {
    var code: Int32 = 0
    while waitpid(process, &code, WNOHANG | WUNTRACED) != process {
      _ = try read("the stop")
    }
    try #require(code & 0xFF == 0x7F, "the program ended instead of stopping\n\(picture)")
    while try readSome(milliseconds: 0) {}
  }

  private var picture: String { (lines + [screen.scrollback]).joined(separator: "\n") }

  /// Reads available output, or waits up to 50 ms for it; throws `Timeout` after the deadline.
  ///
  /// Returns `false` when the program has ended and everything was read.
  private func read(_ comment: String) throws -> Bool {
    // Ask first whether the program has ended. If it has, no more output comes, and this read gets the rest.
    let hasEnded = hasEnded
    if try readSome(milliseconds: hasEnded ? 0 : 50) { return true }
    guard Watchdog.time < deadline else {
      throw Timeout(description: "still waiting for: \(comment)\n\(picture)")
    }
    return !hasEnded
  }

  /// Reads available output, or waits up to `milliseconds` for it.
  ///
  /// Returns whether there was any output.
  private func readSome(milliseconds: Int32) throws -> Bool {
    let bytes = terminal.readSome(milliseconds: milliseconds)
    output += bytes
    screen.obey(String(decoding: bytes, as: UTF8.self))
    return !bytes.isEmpty
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var code: Int32 = 0
    guard waitpid(process, &code, WNOHANG) == process else { return false }
    status = Self.exitStatus(code)
    return true
  }

  // MARK: What one does

  func type(_ text: String) {
    type(text.utf8)
  }

  func type(_ bytes: some Sequence<UInt8>) {
    terminal.type(bytes)
  }

  func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Restores the terminal's modes, as a shell does when the program is suspended.
  func restoreModes() {
    terminal.modes = modesBefore
  }

  func resize(_ size: Size) {
    self.size = size
    terminal.resize(size)
  }

  func hangUp() {
    terminal.hangUp()
  }
}

// MARK: Running the program

extension ProgramUnderTest {
  /// The program's standard streams.
  enum Descriptors {
    /// The terminal at the given path, which becomes the controlling terminal of a new session.
    case terminal(String)
    case pipes(output: Int32, error: Int32)
  }

  /// The destination of standard output in a run without a terminal.
  enum Output: Equatable {
    /// A pipe to the test, which reads all output.
    case pipe
    /// A pipe to the test, which reads some output and then closes its end of the pipe.
    case beginning
    case file(String)
  }

  /// The result of a run without a terminal.
  struct Run {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs a program without a terminal until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - program: The name of the program.
  ///   - output: The destination of the program's standard output.
  ///   - closed: The standard descriptors that are closed when the program starts.
  ///   - during: Called with the program's process identifier when the program has printed its first output.
  static func run(
    _ arguments: [String], program: String = "livetable", output: Output = .pipe, closed: [Int32] = [],
    during: (pid_t) throws -> Void = { _ in }
  ) throws -> Run {
    let (printed, complaints) = (Foundation.Pipe(), Foundation.Pipe())
    // The program must not inherit the pipes' reading ends. Otherwise a pipe would still have a reader after
    // the test has closed its end, and the program's writes would not fail.
    for pipe in [printed, complaints] {
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    let process = try spawn(
      program, arguments, environment: ["TERM": "dumb"],
      descriptors: .pipes(
        output: printed.fileHandleForWriting.fileDescriptor,
        error: complaints.fileHandleForWriting.fileDescriptor)
    ) { actions in
      if case .file(let path) = output {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0)
      }
      for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    printed.fileHandleForWriting.closeFile()
    complaints.fileHandleForWriting.closeFile()
    // The streams can be read one after another, because all that the program writes to standard error fits
    // into the buffer of a pipe.
    var text = printed.fileHandleForReading.availableData
    if !text.isEmpty { try during(process) }
    if output == .beginning {
      printed.fileHandleForReading.closeFile()
    } else {
      text += printed.fileHandleForReading.readDataToEndOfFile()
    }
    let complaint = complaints.fileHandleForReading.readDataToEndOfFile()
    var code: Int32 = 0
    waitpid(process, &code, 0)
    return Run(
      status: exitStatus(code), output: String(decoding: text, as: UTF8.self),
      error: String(decoding: complaint, as: UTF8.self))
  }

  /// The exit status in a result of `waitpid`, or the negated number of the signal that ended the process.
  private static func exitStatus(_ code: Int32) -> Int32 {
    code & 0x7F == 0 ? code >> 8 & 0xFF : -(code & 0x7F)
  }

  private static func spawn(
    _ name: String, _ arguments: [String], environment: [String: String], descriptors: Descriptors,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void = { _ in }
  ) throws -> pid_t {
    let program = try builtProgram(name).path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A program inherits blocked signals from a test's thread, and ignored signals from the process that runs
    // the tests. So both are reset.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    defer { posix_spawnattr_destroy(&attributes) }
    switch descriptors {
    case .terminal(let path):
      // A new session has no controlling terminal. The first terminal that its program opens becomes one.
      flags |= pseudo_terminal_spawn_in_session
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    case .pipes(let output, let error):
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    }
    posix_spawnattr_setflags(&attributes, flags)
    prepare(&actions)
    var variables = ProcessInfo.processInfo.environment
    variables.merge(environment) { $1 }
    // A program that crashes on purpose needs no crash report.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    // Sanitizers must not handle SIGSEGV, SIGBUS and SIGFPE, so that a crash ends the program by its signal.
    // The search for leaks is off, because it would report an object to which only an enum refers. The enum
    // stores its case in bits of the address, so the search does not recognise the address.
    let handlers = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
    variables["ASAN_OPTIONS"] = "detect_leaks=0:\(handlers)"
    variables["TSAN_OPTIONS"] = handlers
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var process = pid_t()
    let error = posix_spawn(&process, program, &actions, &attributes, words, settings)
    try #require(error == 0, "posix_spawn: \(String(cString: strerror(error)))")
    return process
  }
}
