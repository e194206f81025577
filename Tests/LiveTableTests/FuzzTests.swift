internal import Commands
internal import Foundation
@testable import LiveTables
internal import TestSupport
internal import Testing
internal import ViewModels

/// Checks that any random input leads to a message and a documented exit status, and never to a trap.
@MainActor
@Suite("Any input", .serialized, .timeLimit(.minutes(20)))
struct FuzzTests {
  private final class RecordingConsole: Console {
    var printed: [String] = []
    var complaints: [String] = []

    func print(_ text: String) { printed.append(text) }
    func complain(_ text: String) { complaints.append(text) }
    func show(progress: String) {}
  }

  /// The number of random inputs of a test: `programs` if the test starts a program for each input, and
  /// otherwise `times`.
  private static let (times, programs) = StressSize.pick(quick: (500, 10), full: (34_000, 300))

  private let path = temporaryPath("fuzz")

  // MARK: Command lines

  private static let names = [
    "--workers", "--duration", "--seed", "--rows", "--speed", "--strategy", "--bug", "--record", "--replay",
    "--plain", "--json", "--help", "-h", "--", "-", "", "--speed=", "--fast",
  ]
  private static let numbers = [
    "0", "1", "-1", "3", "0.01", "5e-324", "1e-300", "1e300", "1e999", "inf", "nan", "-0.0", "1_0", "٣", "0x",
    "0xffffffffffffffff", "9223372036854775807", "9223372036854775808", "18446744073709551616",
  ]
  private static let words = [
    "tree", "array", "delta", "mainActor", "none", "pull", "unlock-first", "é\u{301}世", " ", "=", "\n",
  ]

  /// Random arguments, some of which are valid.
  private func arguments(_ random: inout SplitMix64) -> [String] {
    let files = [path, "/dev/null", path + "/missing", "/"]
    return (0..<Int.random(in: 0...4, using: &random)).flatMap { _ -> [String] in
      let name = Self.names.randomElement(using: &random)!
      let isFile = ["--record", "--replay"].contains(name)
      let values = isFile ? files : random.happens(percent: 70) ? Self.numbers : Self.words
      let value = values.randomElement(using: &random)!
      return switch random.next() % 4 {
      case 0: [name]
      case 1: ["\(name)=\(value)"]
      default: [name, value]
      }
    }
  }

  @Test("Command lines are refused in a sentence, or start what they say")
  func commandLines() async throws {
    var random = Seed.current.generator(stream: 1)
    for number in 0..<Self.times {
      let arguments = arguments(&random)
      let console = RecordingConsole()
      guard let options = try? Options(parsing: arguments), !options.showsHelp, options.replay == nil else {
        // Wrong arguments, `--help` and `--replay` start no threads, so the program ends soon.
        let status = await Program(console: console).run(arguments)
        let text = console.printed + console.complaints
        #expect(text.count == 1 && text[0].count > 10, "\(arguments) \(Seed.current)")
        #expect(
          status == .wrongArguments || (status == .clean) == console.complaints.isEmpty,
          "\(arguments) \(Seed.current)")
        continue
      }
      // Starting threads takes long, so the test runs only a fifth of the valid command lines.
      guard number.isMultiple(of: 5) else { continue }
      let settings = Program(console: console).settings(options, mostRows: 100)
      let session = Session(settings)
      session.restart(workers: min(options.workers ?? 8, 2))
      #expect(session.end().isClean == (options.bug == .none), "\(arguments) \(Seed.current)")
    }
  }

  @Test("The program ends in the same way")
  func programs() throws {
    var random = Seed.current.generator(stream: 2)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for _ in 0..<Self.programs {
      // The last option ends the program soon. If it is refused, because it is given twice or another option
      // excludes it, the program ends immediately.
      let arguments = arguments(&random) + ["--duration", "0.05"]
      let run = try ProgramUnderTest.run(arguments)
      #expect((0...2).contains(run.status), "\(arguments) \(run.error) \(Seed.current)")
      #expect(!(run.output + run.error).isEmpty, "\(arguments) \(Seed.current)")
    }
  }

  // MARK: Records

  /// A well-formed recording with a random fingerprint of its rows at the end.
  private func record(_ random: inout SplitMix64) throws -> String {
    var lines = [Recording.Line.head(version: Recording.version, seed: random.next(), rows: ["a", "世"])]
    for generation in 2...Int.random(in: 2...3, using: &random) {
      lines.append(.generation(number: generation, workers: 1))
      var count = 2
      for sequence in 1...UInt64.random(in: 1...5, using: &random) {
        switch count == 0 ? 0 : random.next() % 3 {
        case 0:
          count += 1
          let index = Int.random(in: 0..<count, using: &random)
          lines.append(.insert(sequence: sequence, worker: 0, index: index, text: "thread-0"))
        case 1:
          let index = Int.random(in: 0..<count, using: &random)
          lines.append(.append(sequence: sequence, worker: nil, index: index, text: "-0"))
        default:
          lines.append(.remove(sequence: sequence, index: Int.random(in: 0..<count, using: &random)))
          count -= 1
        }
      }
    }
    return try Recording.text(lines + [.end(count: 2, fingerprint: random.next())])
  }

  /// Damages a text in a random way.
  private func spoil(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var lines = text.split(separator: 0x0A).map(Array.init)
    guard let place = lines.indices.randomElement(using: &random), !lines[place].isEmpty else { return text }
    switch random.next() % 6 {
    case 0:
      // Replaces a digit by another number.
      guard
        let digit = lines[place].indices.filter({ (0x30...0x39).contains(lines[place][$0]) })
          .randomElement(using: &random)
      else { break }
      lines[place].replaceSubrange(
        digit...digit,
        with: (Self.numbers + ["-9223372036854775808", "1.5"]).randomElement(using: &random)!.utf8)
    case 1: lines.remove(at: place)
    case 2: lines.insert(lines[place], at: Int.random(in: 0...lines.count, using: &random))
    case 3:
      lines[place][Int.random(in: 0..<lines[place].count, using: &random)] = UInt8(
        truncatingIfNeeded: random.next())
    case 4: lines[place].removeLast(Int.random(in: 0...lines[place].count, using: &random))
    default: return text.dropLast(Int.random(in: 0...text.count, using: &random))
    }
    return Array(lines.joined(separator: [0x0A])) + [0x0A]
  }

  @Test("Records are replayed, or refused with the line at fault")
  func records() async throws {
    var random = Seed.current.generator(stream: 3)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var replayed = 0
    for _ in 0..<Self.times {
      var bytes = Array(try record(&random).utf8)
      for _ in 0..<random.next() % 3 { bytes = spoil(bytes, &random) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let console = RecordingConsole()
      let strategy = RowsStrategy.allCases.randomElement(using: &random)!
      let status = await Program(console: console).run(["--replay", path, "--strategy", strategy.rawValue])
      #expect(status == .failed, "\(Seed.current)")
      if let complaint = console.complaints.first {
        #expect(
          complaint.hasPrefix("livetable: \(path), line ") || complaint.hasSuffix("it is no text in UTF-8"),
          "\(complaint) \(Seed.current)")
        #expect(console.printed.isEmpty)
      } else {
        // The recording was replayed, but its audit fails, because the fingerprint of the rows at its end is
        // random.
        #expect(console.printed.first?.contains("WRONG the record's rows") == true, "\(Seed.current)")
        replayed += 1
      }
    }
    #expect(replayed > Self.times / 10)
  }

  // MARK: Keys

  private static let keys = [
    "r", "n", "u", "+", "-", "f", "9", "\r", "\u{7F}", "\u{1B}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[5~",
    "\u{1B}[6~", "\u{1B}OH", "\u{1B}[F", "世", "é", "\u{301}", "\u{200D}", "👨", "🇫🇷", "\u{202E}", "\u{1B}[",
    "\u{1B}[999999999999999999;", "Nobody", " ", "\u{0}", "\u{1}",
  ]

  /// Random keys, and bytes that are no keys.
  private func typed(_ random: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: 1...24, using: &random)).flatMap { _ in
      random.happens(percent: 85)
        ? Array(Self.keys.randomElement(using: &random)!.utf8) : [UInt8(truncatingIfNeeded: random.next())]
    }
  }

  @Test("Keys and other bytes lead to a picture that a terminal shows as it is meant")
  func keys() {
    var random = Seed.current.generator(stream: 4)
    let session = Session(SessionSettings(seed: 1, initialRows: (0..<50).map { "row-\($0) 世界" }))
    session.restart(workers: 0)
    for _ in 0..<Self.times {
      session.player.perform(.reset)
      var (parser, controls) = (KeyParser(), Controls())
      var (shown, terminal) = (Frame?.none, Screenful())
      terminal.obey(Control.enterScreen)
      let bytes = typed(&random)
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = Size(
          columns: Int.random(in: 0...40, using: &random), rows: Int.random(in: 0...12, using: &random))
        let page = Screen.rowCapacity(of: size)
        let piece = rest.prefix(Int.random(in: 1...8, using: &random))
        rest = rest.dropFirst(piece.count)
        for key in parser.parse(piece) {
          switch controls.press(key, page: page) {
          case .rename(let name): session.player.perform(.rename(name))
          case .stepUp: session.player.perform(.stepUp)
          case .stepDown: session.player.perform(.stepDown)
          case .search(let text): session.search(for: text)
          case .showFound: session.showFound()
          case .shelve: session.shelve(controls.start)
          case .unshelve: session.unshelve(to: controls.start)
          case .restart(let workers): #expect((0...Options.mostWorkers).contains(workers))
          case .upload, .quit, nil: break
          }
        }
        guard rest.isEmpty || random.happens(percent: 20) else { continue }
        let frame = Screen.frame(session.screen(&controls, page: page), size: size)
        terminal.obey(frame.sequence(since: shown))
        shown = frame
        #expect(terminal.text(size) == frame.text, "\(bytes) \(Seed.current)")
      }
    }
    #expect(session.end().isClean)
  }

  @Test("After any keys and any end, the terminal is as it was")
  func terminals() throws {
    var random = Seed.current.generator(stream: 5)
    for _ in 0..<Self.programs {
      let program = try ProgramUnderTest(["--rows", "30", "--workers", "2", "--speed", "50"])
      let modes = program.modesBefore
      try program.wait("the first picture") { $0.lines.last?.hasSuffix("q quit") == true }
      // Keys that suspend or end the program are left out, because the signal below must end the program.
      let bytes = typed(&random).filter {
        ![0x03, 0x1A, 0x1C, UInt8(ascii: "q"), UInt8(ascii: "Q")].contains($0)
      }
      program.type(bytes)
      let signal = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGSEGV, SIGABRT].randomElement(
        using: &random)!
      program.send(signal)
      let isOrderly = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal)
      #expect(try program.waitForExit() == (isOrderly ? 0 : -signal), "\(bytes) \(Seed.current)")
      #expect(program.modes == modes, "\(bytes) \(Seed.current)")
      let (isAlternate, isCursorVisible) = (program.screen.isAlternate, program.screen.isCursorVisible)
      #expect(!isAlternate && isCursorVisible, "\(signal) \(bytes) \(Seed.current)")
    }
  }
}
