internal import CTerminal
internal import Foundation
internal import LiveTables
internal import TestSupport
internal import Testing

// The tests are serialized, because each one runs a program with several threads.
@Suite("In a terminal", .serialized)
struct TerminalTests {
  /// Starts the program and waits for its first frame; returns it with the terminal's modes before the start.
  private func start(_ arguments: [String] = [], size: Size = Size(columns: 80, rows: 24)) throws
    -> (program: ProgramUnderTest, modes: [UInt8])
  {
    let program = try ProgramUnderTest(arguments, size: size)
    let modes = program.modesBefore
    try program.wait("the first picture") { $0.lines.last?.hasSuffix("q quit") == true }
    return (program, modes)
  }

  /// Checks that the terminal shows the original screen and the cursor, and has its original modes `modes`.
  private func expectRestored(_ program: ProgramUnderTest, _ modes: [UInt8]) {
    let (isAlternate, isCursorVisible) = (program.screen.isAlternate, program.screen.isCursorVisible)
    #expect(program.modes == modes)
    #expect(!isAlternate)
    #expect(isCursorVisible)
  }

  @Test("The first picture has the head, the rows, the form and the keys")
  func firstPicture() throws {
    let (program, modes) = try start(["--workers", "3", "--rows", "5", "--speed", "0.001"])
    let (isAlternate, isCursorVisible) = (program.screen.isAlternate, program.screen.isCursorVisible)
    #expect(isAlternate)
    #expect(!isCursorVisible)
    #expect(program.modes != modes)
    // Each worker adds a row immediately, and then sleeps for half an hour. The test finds new rows by their
    // texts, because the mark of a new row fades, perhaps before the last row comes.
    try program.wait("a row of each worker") { program in
      (0..<3).allSatisfy { number in program.lines.contains { $0.contains(" thread-\(number)") } }
    }
    let lines = program.lines
    #expect(lines[0].hasPrefix(" livetable  3 workers  tree  generation 1"))
    #expect(lines[1].hasPrefix(" 3 edits  +3 inserted  -0 removed  ~0 modified  "))
    #expect(lines[2].hasPrefix(" rows 1 to 8 of 8  queue 0 max "))
    #expect(lines[2].hasSuffix("  violations 0"))
    #expect((0..<5).allSatisfy { number in lines[3...10].contains { $0.hasSuffix("  row-\(number)") } })
    #expect(lines[3...10].filter { $0.hasSuffix(" <") }.count == 1)
    #expect(lines[20] == " Name    Colin  n to change it")
    program.type("q")
    #expect(try program.waitForExit() == 0)
  }

  @Test("Rows that change are drawn where they are, and nothing else is drawn again")
  func changedRows() throws {
    let (program, _) = try start(["--workers", "2", "--rows", "3", "--speed", "50"])
    // The test waits for any modified row. One of the first rows may be removed, or moved off the screen,
    // before it is modified.
    try program.wait("a row that was modified") { program in
      program.lines[3..<19].contains { $0.contains(" ~ ") }
    }
    // The screen must have been cleared only twice: when the program took it over, and for the first frame.
    // Two clearing sequences divide the output into three parts.
    #expect(program.raw.components(separatedBy: "\u{1B}[2J").count == 3)
    program.type("q")
    #expect(try program.waitForExit() == 0)
  }

  @Test("Another size is drawn completely")
  func resize() throws {
    let (program, _) = try start(["--workers", "0", "--rows", "100"])
    #expect(program.lines[3...18].allSatisfy { $0.contains("row-") })
    for size in [Size(columns: 100, rows: 30), Size(columns: 50, rows: 12)] {
      program.resize(size)
      try program.wait("the picture in another size") { $0.lines.last?.hasPrefix(" r restart") == true }
      try program.wait("the rows that fit") {
        $0.lines[2].hasPrefix(" rows 1 to \(Screen.rowCapacity(of: size)) of 100")
      }
      #expect(program.lines[3] == "  1   row-0")
    }
    program.type("q")
    #expect(try program.waitForExit() == 0)
  }

  @Test("q restores the terminal and prints the audit")
  func quit() throws {
    let (program, modes) = try start(["--seed", "42", "--speed", "100"])
    program.type("q")
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
    #expect(program.screen.scrollback.contains("Audit  tree, seed 42"))
    #expect(program.screen.scrollback.contains("The audit is clean."))
  }

  @Test("Ctrl-C does the same")
  func interrupt() throws {
    let (program, modes) = try start(["--speed", "100"])
    program.type("\u{3}")
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
    #expect(program.screen.scrollback.contains("The audit is clean."))
  }

  @Test("So do the signals that end a program", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signals(signal: Int32) throws {
    let (program, modes) = try start(["--speed", "100"])
    program.send(signal)
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
    #expect(program.screen.scrollback.contains("The audit is clean."))
  }

  @Test(
    "Any other signal that ends the program restores the terminal first",
    arguments: [
      SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM, SIGUSR1, SIGUSR2, SIGSYS, SIGXCPU,
      SIGVTALRM, SIGPROF,
    ])
  func crash(signal: Int32) throws {
    let (program, modes) = try start()
    program.send(signal)
    #expect(try program.waitForExit() == -signal)
    expectRestored(program, modes)
  }

  @Test("So does Ctrl-\\")
  func quitKey() throws {
    let (program, modes) = try start(["--speed", "100"])
    program.type("\u{1C}")
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
    #expect(program.screen.scrollback.contains("The audit is clean."))
  }

  @Test("Repeated at once, a signal still leaves the terminal restored, and the audit printed")
  func repeated() throws {
    let (program, modes) = try start(["--speed", "100"])
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] { program.send(signal) }
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
    #expect(program.raw.contains("Ending"))
    #expect(program.screen.scrollback.contains("The audit is clean."))
  }

  @Test("Stopped from outside and continued, the program takes the terminal again and draws everything")
  func stopped() throws {
    let (program, modes) = try start(["--workers", "0", "--rows", "3"])
    let taken = program.modes
    program.send(SIGSTOP)
    try program.waitUntilStopped()
    program.restoreModes()
    let clearings = program.raw.components(separatedBy: "\u{1B}[2J").count
    program.send(SIGCONT)
    try program.wait("the picture") {
      $0.raw.components(separatedBy: "\u{1B}[2J").count > clearings
        && $0.screen.isAlternate && $0.lines[5].hasSuffix("row-2") && $0.lines[23].hasSuffix("q quit")
    }
    #expect(program.modes == taken)
    program.type("q")
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
  }

  @Test("A name of wide characters takes two cells for each")
  func wideName() throws {
    let (program, _) = try start(["--workers", "0"])
    program.type("n")
    try program.wait("the question") { $0.lines[23].hasPrefix(" Which name?") }
    program.type("世界")
    try program.wait("the name") { $0.lines[23].hasPrefix(" Which name? 世界") }
    program.type("\r")
    try program.wait("the form") { $0.lines[20] == " Name    世界  n to change it" }
    program.type("q")
    #expect(try program.waitForExit() == 0)
  }

  @Test("Ctrl-Z gives the terminal back; continued, the program takes it and draws everything")
  func suspend() throws {
    let (program, modes) = try start(["--workers", "0", "--rows", "3"])
    let taken = program.modes
    program.type("\u{1A}")
    try program.waitUntilStopped()
    expectRestored(program, modes)
    program.send(SIGCONT)
    try program.wait("the picture") {
      $0.screen.isAlternate && $0.lines[5].hasSuffix("row-2") && $0.lines[23].hasSuffix("q quit")
    }
    #expect(program.modes == taken)
    program.type("q")
    #expect(try program.waitForExit() == 0)
    expectRestored(program, modes)
  }

  @Test("Keys use the form and start the model again")
  func keys() throws {
    let (program, _) = try start(["--workers", "2", "--speed", "0.001"])
    program.type("++-")
    try program.wait("the points") { $0.lines[21].hasPrefix(" Points  101  3 of 10 updates") }
    program.type("n")
    try program.wait("the question") { $0.lines[23].hasPrefix(" Which name?") }
    program.type("Annq\u{7F}\r")
    try program.wait("the name") { $0.lines[20].hasPrefix(" Name    Ann ") }
    program.type("u")
    try program.wait("the upload") { $0.lines[22].contains("Uploaded Ann with 101 points.") }
    program.type("r5\r")
    try program.wait("the next generation") {
      $0.lines[0].hasPrefix(" livetable  5 workers  tree  generation 2")
    }
    program.type("q")
    #expect(try program.waitForExit() == 0)
    let audit = program.screen.scrollback
    #expect(audit.contains("generation 1, 2 workers: posted "))
    #expect(audit.contains("generation 2, 5 workers: posted "))
  }

  @Test("A search finds rows while it is typed; Enter shows the first of them, m and b move it away and back")
  func search() throws {
    let (program, _) = try start(["--workers", "0", "--rows", "20000"])
    program.type("/row-1234")
    try program.wait("the rows") { $0.lines[23].contains("found 11 rows, the first at 1235") }
    program.type("5")
    try program.wait("one row") { $0.lines[23].contains("row-12345   found 1 row, the first at 12346") }
    program.type("x")
    try program.wait("no row") { $0.lines[23].contains("not found") }
    program.type("\u{7F}\r")
    try program.wait("the row") { $0.lines[3].contains("row-12345") }
    program.type("m")
    try program.wait("the shelf") {
      $0.lines[2].contains("of 19999, 1 on the shelf") && $0.lines[3].contains("row-12346")
    }
    program.type("b")
    try program.wait("the row again") {
      $0.lines[2].contains("of 20000  ") && $0.lines[3].contains("row-12345")
    }
    program.type("q")
    #expect(try program.waitForExit() == 0)
  }

  @Test("A terminal that is gone ends the run")
  func hangUp() throws {
    let (program, _) = try start(["--speed", "100"])
    program.hangUp()
    // The program fails, because it can't print the audit without a terminal.
    #expect(try program.waitForExit() == 1)
  }

  @Test("A terminal that only prints gets lines")
  func dumbTerminal() throws {
    let program = try ProgramUnderTest(["--duration", "0.3", "--speed", "100"], terminal: "dumb")
    let modes = program.modesBefore
    #expect(try program.waitForExit() == 0)
    #expect(!program.raw.contains("\u{1B}"))
    #expect(program.modes == modes)
    #expect(program.raw.contains("The audit is clean."))
  }

  @Test("The sentence of a trap is printed behind the screen, not on it")
  func trap() async throws {
    let terminal = try PseudoTerminal(size: Size(columns: 80, rows: 24))
    let modes = terminal.modes
    let path = terminal.path
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let descriptor = open(path, O_RDWR | O_NOCTTY)
      dup2(descriptor, STDERR_FILENO)
      guard terminal_take(descriptor, Control.enterScreen, Control.leaveScreen) == 0 else { exit(0) }
      fatalError("the sentence")
    }
    #expect(terminal.modes == modes)
    let output = terminal.readAll()
    let left = try #require(output.range(of: Control.leaveScreen))
    #expect(output[left.upperBound...].contains("the sentence"))
    #expect(!output[..<left.lowerBound].contains("the sentence"))
  }

  @Test("A hang-up that is ignored stays so, as under `nohup`")
  func ignoredHangUp() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      guard terminal_watch_signals([SIGHUP], 1, nil) >= 0 else { exit(1) }
      kill(getpid(), SIGHUP)
      exit(terminal_is_to_end())
    }
  }

  @Test("A program that does not end in time is ended by a repeated signal, and not before")
  func repeatedInterrupt() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Trap.orDie()
      var entry = pollfd(
        fd: terminal_watch_signals([SIGINT, SIGTERM], 2, nil), events: Int16(POLLIN), revents: 0)
      // The signal is sent to the process, because this thread may have all signals blocked.
      kill(getpid(), SIGINT)
      guard poll(&entry, 1, -1) == 1 else { exit(0) }
      // This second signal comes immediately, so it must not end the program. One of the later SIGINTs must.
      kill(getpid(), SIGTERM)
      while true {
        usleep(100_000)
        kill(getpid(), SIGINT)
      }
    }
  }
}
