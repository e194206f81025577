internal import BenchmarkHarness
internal import Commands
internal import Foundation
internal import TestSupport
internal import Testing

/// The tests run the program in a process of its own, which sends signals to itself.
///
/// The signals are sent to the process and not to the calling thread, because a test's thread blocks all
/// signals.
@Suite("Interruption")
struct InterruptionTests {
  /// A console that prints to the standard streams, and counts the measurements that have begun.
  private final class CountingConsole: Console {
    let begun = RelaxedCounter()
    let beforePrinting: () -> Void
    private let console = StandardConsole()

    init(beforePrinting: @escaping () -> Void = {}) {
      self.beforePrinting = beforePrinting
    }

    func print(_ text: String) {
      beforePrinting()
      console.print(text)
    }

    func complain(_ text: String) { console.complain(text) }
    func show(progress: String) { begun.add(progress.isEmpty ? 0 : 1) }
    var failure: FileFailure? { console.failure }
  }

  /// Runs the program with two contestants, and ends the process with its status.
  ///
  /// - Parameters:
  ///   - limitMilliseconds: The time after which a round is given up; `nil` for the default.
  ///   - inFifthRound: Called in each batch from the fifth measurement on. The first four are a warm-up of
  ///     each of the two contestants, and then a round of each.
  private static func run(
    _ arguments: [String], console: CountingConsole = CountingConsole(), limitMilliseconds: Int? = nil,
    inFifthRound: @escaping @Sendable () -> Void = {}
  ) -> Never {
    Interruption.watch()
    let begun = console.begun
    let contestants = ["a", "b"].map { name in
      Contestant(name: name) { _, count in
        if begun.value > 4 { inFifthRound() }
        return count
      }
    }
    let suite = BenchmarkHarness.Suite(
      name: "sample", about: "",
      contests: [
        Contest(
          group: "group", title: "first", metric: .bytes, threads: 1, operationUnit: 1, reference: "a",
          contestants: contestants)
      ])
    let command = Command(
      suites: [suite], targets: [], console: console,
      build: BuildDescription(isDebug: false, compiler: "Swift 9"), limitMilliseconds: limitMilliseconds)
    Interruption.exit(command.run(arguments).code)
  }

  /// The number of rounds of each contestant in the report at `path`.
  private func rounds(_ path: String) throws -> [Int] {
    try Report(file: path).contests.flatMap(\.contestants).map(\.rounds.count)
  }

  @Test("Signals in a round that does not end: the program ends, with the finished figures")
  func stuckRound() async throws {
    let path = temporaryPath("benchmarks")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = await #expect(
      processExitsWith: .exitCode(143), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [path = path as String] in
      Self.run(["--quick", "--json", path], limitMilliseconds: .max) {
        kill(getpid(), SIGTERM)
        // Wait until SIGTERM is handled, because signals that are pending together are delivered in any
        // order.
        while Interruption.signal == nil { sched_yield() }
        // Later signals change nothing.
        kill(getpid(), SIGINT)
        kill(getpid(), SIGQUIT)
        Signal().wait()
      }
    }
    #expect(try rounds(path) == [1, 1])
    let (printed, complaints) = try texts(result)
    #expect(printed.contains("INTERRUPTED"))
    #expect(printed.contains("group: bytes"))
    #expect(complaints.contains("a round did not end within"))
  }

  @Test("A round that never ends: the program fails, with the finished figures")
  func endlessRound() async throws {
    let path = temporaryPath("benchmarks")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [path = path as String] in
      Self.run(["--quick", "--json", path], limitMilliseconds: 200) { while true { sched_yield() } }
    }
    #expect(try rounds(path) == [1, 1])
    let (printed, complaints) = try texts(result)
    #expect(printed.contains("INTERRUPTED"))
    #expect(complaints.contains("a round did not end within 0.2 s: worker 0 is in batch 1"))
  }

  @Test("A signal while the program prints to an unread pipe: it ends, and the files are written")
  func blockedPrinting() async throws {
    let path = temporaryPath("benchmarks")
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .exitCode(130)) { [path = path as String] in
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
      let bytes = [UInt8](repeating: 0, count: 4_096)
      while write(ends[1], bytes, bytes.count) > 0 {}
      precondition(fcntl(ends[1], F_SETFL, 0) == 0 && dup2(ends[1], STDOUT_FILENO) >= 0)
      Self.run(["--quick", "--json", path], console: CountingConsole { kill(getpid(), SIGINT) })
    }
    #expect(try rounds(path) == [3, 3])
  }

  @Test("A signal before the first measurement ends the program, although it waits for a file")
  func blockedReading() async throws {
    let path = temporaryPath("benchmarks")
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(mkfifo(path, 0o600) == 0)
    await #expect(processExitsWith: .exitCode(129)) { [path = path as String] in
      Interruption.watch()
      kill(getpid(), SIGHUP)
      Self.run(["--quick", "--compare", path])
    }
  }

  private func texts(_ result: ExitTest.Result?) throws -> (printed: String, complaints: String) {
    let result = try #require(result)
    return (
      String(decoding: result.standardOutputContent, as: UTF8.self),
      String(decoding: result.standardErrorContent, as: UTF8.self)
    )
  }
}
