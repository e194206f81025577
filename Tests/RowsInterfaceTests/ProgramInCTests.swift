internal import Foundation
internal import TestSupport
internal import Testing

/// Runs the programs in `Tests/ForeignCores/c`, which have a `main` in C and check their results themselves.
@Suite("Programs in C", .serialized, .timeLimit(.minutes(20)))
struct ProgramInCTests {
  private func run(_ arguments: String...) async throws {
    let process = Process()
    process.executableURL = try builtProgram("rows-in-c")
    process.arguments = arguments
    let output = Foundation.Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    // Read on a thread outside the cooperative thread pool: the program runs long on a busy machine, and
    // other tests need the pool's threads.
    let reading = output.fileHandleForReading
    let printed = await onAThread { String(decoding: reading.readDataToEndOfFile(), as: UTF8.self) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments): \(printed) \(Seed.current)")
  }

  @Test("Every function keeps its promises, with good arguments and with bad")
  func checks() async throws { try await run("checks") }

  @Test("Eight threads edit with each strategy, and in a core, and everything adds up")
  func workers() async throws { try await run("workers", "0.5", "1000") }

  @Test("Many edits cross the border in order, and nothing is left")
  func edits() async throws {
    try await run("edits", StressSize.pick(quick: "20000", full: "1000000"))
  }

  @Test("Random calls with random handles, indices and bytes return statuses")
  func randomCalls() async throws {
    var generator = Seed.current.generator(stream: 0)
    try await run("random", StressSize.pick(quick: "100000", full: "10000000"), "\(generator.next())")
  }

  @Test("Models, observers and cores end in any order, on any thread")
  func orders() async throws {
    var generator = Seed.current.generator(stream: 1)
    try await run("orders", StressSize.pick(quick: "3000", full: "300000"), "\(generator.next() >> 1)")
  }
}
