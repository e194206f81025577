import CTerminal
import Foundation
import TestSupport
import Testing

@testable import livetable

// The tests are serialized, because each one runs a program with several threads.
@Suite("In a terminal", .serialized)
struct TerminalTests {
  /// Starts the program and waits for its first picture.
  private func start(_ arguments: [String] = ["--speed", "100"]) throws -> ProgramUnderTest {
    let program = try ProgramUnderTest(arguments)
    try program.wait(for: "the first picture") { $0.picture.last?.hasSuffix("q quit") == true }
    return program
  }

  /// Checks that the terminal has its original screen, cursor and modes.
  private func expectRestored(_ program: ProgramUnderTest) {
    #expect(program.modes == program.modesBefore)
    let entered = program.output.components(separatedBy: Control.enterScreen).count
    let left = program.output.components(separatedBy: Control.leaveScreen).count
    #expect(entered > 1 && entered == left)
  }

  private func expectAudit(_ program: ProgramUnderTest) throws {
    #expect(try program.waitForExit() == 0)
    expectRestored(program)
    #expect(program.afterScreen.contains("The audit is clean."))
  }

  @Test(
    "the first picture has the figures, the rows and the keys; q restores the terminal and prints the audit")
  func picture() throws {
    let program = try start(["--workers", "3", "--rows", "5", "--speed", "0.001"])
    #expect(program.modes != program.modesBefore)
    // Each worker adds a row immediately, and then sleeps for half an hour.
    try program.wait(for: "a row of each worker") { $0.picture[1].contains(": 8 rows, +3 -0 ~0") }
    #expect(program.picture[1].hasPrefix("3 workers, snapshots behind biased, generation 1: "))
    #expect((0..<5).allSatisfy { number in program.picture.contains { $0.hasSuffix("  row-\(number)") } })
    #expect((0..<3).allSatisfy { number in program.picture.contains { $0.hasSuffix("  thread-\(number)") } })
    program.type("q")
    try expectAudit(program)
  }

  @Test("keys restart, change strategy and lock, pause and go on, and scroll")
  func keys() throws {
    let program = try start(["--workers", "2", "--rows", "50", "--speed", "1000"])
    program.type("r")
    try program.wait(for: "the question") { $0.picture.last?.hasPrefix("How many workers?") == true }
    program.type("15\u{7F}\r")
    try program.wait(for: "one worker") { $0.picture[1].hasPrefix("1 workers, snapshots behind biased, gen") }
    program.type("l")
    try program.wait(for: "a lock") { $0.picture[1].hasPrefix("1 workers, snapshots behind compact") }
    program.type("s")
    try program.wait(for: "a strategy") { $0.picture[1].hasPrefix("1 workers, mainActor, generation 4: ") }
    program.type("p")
    try program.wait(for: "a pause") { $0.picture[1].hasPrefix("1 workers (paused), mainActor") }
    let paused = program.picture[1].components(separatedBy: ", ").dropLast()
    program.type("\u{1B}[B\u{1B}[6~")
    try program.wait(for: "later rows") { $0.picture.last?.hasPrefix("rows 23 to 43 of ") == true }
    #expect(program.picture[1].components(separatedBy: ", ").dropLast() == paused)
    program.type("p")
    try program.wait(for: "edits") { $0.picture[1].components(separatedBy: ", ").dropLast() != paused }
    program.type("q")
    try expectAudit(program)
    #expect(program.afterScreen.contains(" changes in 4 generations"))
  }

  @Test(
    "signals to end, and Ctrl-C, restore the terminal and print the audit, also repeated",
    arguments: [[SIGINT], [SIGTERM], [SIGHUP], [SIGQUIT], [SIGTERM, SIGINT, SIGHUP], []])
  func signals(signals: [Int32]) throws {
    let program = try start()
    let start = ContinuousClock.now
    for signal in signals { program.send(signal) }
    if signals.isEmpty { program.type("\u{3}") }
    let status = try program.waitForExit()
    if signals.count > 1, status != 0, ContinuousClock.now - start >= .seconds(2) {
      // A repeated signal that comes two seconds late ends the program.
      #expect(signals.contains(-status))
      expectRestored(program)
    } else {
      try expectAudit(program)
    }
  }

  @Test(
    "a crash restores the terminal first",
    arguments: [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGUSR1, SIGSYS, SIGXCPU, SIGPROF])
  func crash(signal: Int32) throws {
    let program = try start()
    program.send(signal)
    #expect(try program.waitForExit() == -signal)
    expectRestored(program)
  }

  @Test("Ctrl-Z gives the terminal back; continued, the program takes it and draws everything")
  func suspend() throws {
    let program = try start(["--workers", "0", "--rows", "3"])
    let taken = program.modes
    program.type("\u{1A}")
    try program.waitUntilStopped()
    expectRestored(program)
    program.send(SIGCONT)
    try program.wait(for: "the picture") {
      $0.output.components(separatedBy: Control.enterScreen).count == 3
        && $0.picture.last?.hasSuffix("quit") == true
    }
    #expect(program.modes == taken && program.picture.contains("  3  row-2"))
    program.type("q")
    try expectAudit(program)
  }

  @Test("another size is drawn completely")
  func resize() throws {
    let program = try start(["--workers", "0", "--rows", "100"])
    #expect(program.picture.count == 24)
    program.resize(columns: 50, rows: 12)
    try program.wait(for: "the smaller picture") {
      $0.picture.count == 12 && $0.picture.last?.hasPrefix("rows 1 to 9 of 100 ") == true
    }
    #expect(program.picture.allSatisfy { $0.count <= 50 })
    program.type("q")
    try expectAudit(program)
  }

  @Test("a terminal that only prints gets lines")
  func dumbTerminal() throws {
    let program = try ProgramUnderTest(["--duration", "0.3", "--speed", "100"], terminal: "dumb")
    #expect(try program.waitForExit() == 0)
    #expect(!program.output.contains("\u{1B}") && program.modes == program.modesBefore)
    #expect(program.output.contains("The audit is clean."))
  }

  @Test("the sentence of a trap is printed behind the screen, not on it")
  func trap() async throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    let path = String(cString: ttyname(slave))
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let descriptor = open(path, O_RDWR | O_NOCTTY)
      dup2(descriptor, STDERR_FILENO)
      guard terminal_take(descriptor, Control.enterScreen, Control.leaveScreen) == 0 else { exit(0) }
      fatalError("the sentence")
    }
    // A terminal passes output on a moment later, so a mark is written after it.
    _ = writeAll("\u{1E}", to: slave)
    var output = ""
    while !output.contains("\u{1E}") {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      output += String(decoding: bytes[..<max(0, read(master, &bytes, bytes.count))], as: UTF8.self)
    }
    let parts = output.components(separatedBy: Control.leaveScreen)
    #expect(parts.count == 2 && !parts[0].contains("the sentence") && parts[1].contains("the sentence"))
    close(slave)
    close(master)
  }

  @Test("a program that does not end in time is ended by a repeated signal, and not before")
  func repeatedInterrupt() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      var entry = pollfd(
        fd: terminal_watch_signals([SIGINT, SIGTERM], 2, nil), events: Int16(POLLIN), revents: 0)
      let start = ContinuousClock.now
      // The signal is sent to the process, because this thread may have all signals blocked.
      kill(getpid(), SIGINT)
      guard poll(&entry, 1, -1) == 1 else { exit(0) }
      // This second signal comes within two seconds, so it must not end the program. One of the later ones must.
      if ContinuousClock.now - start < .seconds(1) { kill(getpid(), SIGTERM) }
      while true {
        usleep(100_000)
        kill(getpid(), SIGINT)
      }
    }
  }
}
