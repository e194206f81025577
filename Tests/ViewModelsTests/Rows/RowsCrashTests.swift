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

  @Test(arguments: [(backlogBytes: -1, commandLimit: 1), (backlogBytes: 0, commandLimit: 0)])
  func aQueueThatHoldsNothingTraps(backlogBytes: Int, commandLimit: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [backlogBytes = backlogBytes as Int, commandLimit = commandLimit as Int] in
      var configuration = RowsConfiguration()
      configuration.backlogBytes = backlogBytes
      configuration.commandLimit = commandLimit
      _ = await RowsViewModel(configuration)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowsViewModel: a limit that nothing fits in; pass at least 0 bytes and 1 command")
  }
}
