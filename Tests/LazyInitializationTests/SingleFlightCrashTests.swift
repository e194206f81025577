import LazyInitialization
import TestSupport
import Testing

/// Tests that a run that waits for itself traps; each test runs in a process of its own.
@Suite struct SingleFlightCrashTests {
  private static let message =
    "SingleFlight: waited for a key inside the run for that key; "
    + "make the value in the run itself, or use another key"

  @Test func waitingForTheRunsOwnKeyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let flights = SingleFlight<String, Int>()
      _ = await flights.value(for: "a") {
        await Task.yield()
        return await flights.value(for: "a") { 1 } ?? 0
      }
    }
    #expect(result?.standardErrorContent.trap == Self.message)
  }

  @Test func waitingInAChildTaskTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let flights = SingleFlight<String, Int>()
      _ = await flights.value(for: "a") {
        async let value = flights.value(for: "a") { 1 }
        return await value ?? 0
      }
    }
    #expect(result?.standardErrorContent.trap == Self.message)
  }

  @Test func waitingThroughAnotherKeyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let flights = SingleFlight<Int, Int>()
      @Sendable func value(for key: Int) async -> Int {
        await flights.value(for: key) { await value(for: (key + 1) % 3) } ?? 0
      }
      _ = await value(for: 0)
    }
    #expect(result?.standardErrorContent.trap == Self.message)
  }
}
