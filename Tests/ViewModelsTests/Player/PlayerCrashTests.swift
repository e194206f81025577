import TestSupport
import Testing
import ViewModels

/// Tests that misuse of the player form traps with a message; each test runs in a process of its own.
@Suite struct PlayerCrashTests {
  @Test func aStepOfZeroTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PlayerState(step: 0)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "PlayerState: given a step of 0; pass a number of at least 1")
  }

  @Test func anActionWithANegativeStepTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await PlayerViewModel(uploader: PromptUploader()).perform(.setStep(-2))
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "PlayerState: given a step of -2; pass a number of at least 1")
  }

  @Test func aNegativeLimitOfPointUpdatesTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PlayerState(pointUpdateLimit: -1)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "PlayerState: given a limit of -1; pass a number of at least 0")
  }

  @Test func aLimitOfZeroIsAllowed() {
    let state = PlayerState(pointUpdateLimit: 0, uploadLimit: 0)
    #expect(state == PlayerState(pointUpdateLimit: 0, uploadLimit: 0))
  }

  @Test func aNegativeLimitTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PlayerState(uploadLimit: -1)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "PlayerState: given a limit of -1; pass a number of at least 0")
  }

  @Test func combiningStreamsOfTwoModelsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let first = await PlayerViewModel(uploader: PromptUploader())
      let second = await PlayerViewModel(uploader: PromptUploader())
      _ = first.states.map(\.points).combine(second.states.map(\.points)) { $0 + $1 }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "ModelStream: combined with a stream of another model; "
        + "combine streams of one model, whose values belong together")
  }

  @Test(arguments: [false, true])
  func aNegativeCountTraps(skips: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [skips] in
      let states = await PlayerViewModel(uploader: PromptUploader()).states
      _ = skips ? states.skip(-1) : states.take(-1)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "ModelStream: asked to count -1 values; pass a number of at least 0")
  }

  @Test func twoReadersOfOneSequenceTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let player = await PlayerViewModel(uploader: PromptUploader())
      let events = await player.events.values()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            for await _ in events {}
          }
        }
      }
      withExtendedLifetime(player) {}
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "StreamValues: awaited by two tasks at the same time; "
        + "give each reader a sequence of its own, from values(buffering:)")
  }
}
