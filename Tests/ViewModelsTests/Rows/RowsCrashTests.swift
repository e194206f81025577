import TestSupport
import Testing
import ViewModels

/// Tests that misuse of a row model traps with a message; each test runs in a process of its own.
@Suite struct RowsCrashTests {
  @Test func aNegativeNumberOfWorkersTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { RowsViewModel().restart(workers: -1) }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowsViewModel: restarted with -1 workers; pass 0 or more")
  }

  @Test func aSpeedThatIsNotPositiveTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = RowsConfiguration()
      configuration.speed = .nan
      _ = await RowsViewModel(configuration)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowsViewModel: a speed of nan; pass a positive one, or infinity")
  }

  @Test func aQueueThatHoldsNothingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = RowsConfiguration()
      configuration.commandLimit = 0
      _ = await RowsViewModel(configuration)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowsViewModel: a limit that nothing fits in; pass at least 0 bytes and 1 command")
  }

  @Test func aFaultThatAStrategyCanNotHaveTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = RowsConfiguration()
      configuration.strategy = .delta
      configuration.fault = .pull
      _ = await RowsViewModel(configuration)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowsViewModel: a fault with the strategy delta; prove it with array or tree")
  }
}
