import TestSupport
import Testing
import ViewModels

@MainActor
@Suite struct PlayerStateTests {
  private func makePlayer(_ state: PlayerState = PlayerState()) -> PlayerViewModel {
    PlayerViewModel(state, uploader: PromptUploader())
  }

  @Test("what the form is in the beginning")
  func theInitialState() {
    let state = makePlayer().state
    let expected = PlayerState(
      name: "Colin", points: 100, step: 1, minimum: 0, maximum: 10_000, pointUpdateLimit: 10, uploadLimit: 5,
      forbiddenNames: state.forbiddenNames)
    #expect(state == expected && !state.forbiddenNames.isEmpty)
    #expect(state.isNameEnabled && state.isStepperVisible && state.isUploadEnabled)
  }

  @Test("one transaction of several actions is one change")
  func aTransactionIsOneChange() {
    let player = makePlayer()
    let record = PlayerRecord(player)
    player.perform(.rename("Ann"), .setStep(5), .stepUp, .stepUp, .setMinimum(-1), .setMaximum(1_000))
    #expect(record.changes.value == 1)
    let state = player.state
    #expect(state.name == "Ann" && state.step == 5 && state.points == 110)
    #expect(state.minimum == -1 && state.maximum == 1_000 && state.pointUpdates == 2)
  }

  @Test("reset restores all of it, counters included, in one transaction")
  func reset() async {
    let initial = PlayerState(name: "Ann", points: 7, step: 2, forbiddenNames: ["Bob"])
    let player = makePlayer(initial)
    let record = PlayerRecord(player)
    player.perform(
      .rename("Eve"), .stepUp, .stepDown, .setStep(3), .setMinimum(1), .setMaximum(20),
      .setForbiddenNames(["Carl"]), .upload)
    await record.nextEvent()
    #expect(player.state.uploads == 1 && player.state.pointUpdates == 2)

    let changes = record.changes.value
    player.perform(.reset)
    #expect(player.state == initial && record.changes.value == changes + 1)
    player.perform(.reset)
    #expect(record.changes.value == changes + 1)
  }

  @Test(
    "valid is a name that is neither empty, spaced nor forbidden, and points in the range",
    arguments: [
      ([], true),
      ([.rename("")], false),
      ([.rename("Ann Lee")], false),
      ([.rename("Ann\u{a0}Lee")], false),
      ([.rename(" ")], false),
      ([.rename("Ann")], true),
      ([.rename("Nobody")], false),
      ([.setForbiddenNames(["Colin"])], false),
      ([.setForbiddenNames(["Colin"]), .setForbiddenNames([])], true),
      ([.setPoints(0)], true),
      ([.setPoints(-1)], false),
      ([.setPoints(10_000)], true),
      ([.setPoints(10_001)], false),
      ([.setMinimum(100)], true),
      ([.setMinimum(101)], false),
      ([.setMaximum(100)], true),
      ([.setMaximum(99)], false),
      ([.setMinimum(10), .setMaximum(5)], false),
    ] as [([PlayerAction], Bool)])
  func validity(actions: [PlayerAction], isValid: Bool) {
    let player = makePlayer()
    for action in actions { player.perform(action) }
    #expect(player.state.isValid == isValid && player.state.isUploadEnabled == isValid)
    player.perform(.upload)
    #expect(player.state.isUploading == isValid, "an upload that is not permitted does not begin")
  }

  @Test(
    "steps end at the limits, also if they overflow, and lead from outside towards the limits only",
    arguments: [
      ([.stepUp], 10, 1), ([.stepUp, .stepUp], 10, 1),
      ([.stepUp, .stepDown, .stepDown, .stepDown], 0, 3),
      ([.setPoints(20), .stepUp], 20, 1), ([.setPoints(20), .stepDown], 15, 2),
      ([.setPoints(-20), .stepDown], -20, 1), ([.setPoints(-20), .stepUp], -15, 2),
      ([.setMaximum(.max), .setStep(.max), .setPoints(.max - 1), .stepUp], .max, 2),
      ([.setMinimum(.min), .setStep(.max), .setPoints(.min + 1), .stepDown], .min, 2),
    ] as [([PlayerAction], Int, Int)])
  func steps(actions: [PlayerAction], points: Int, updates: Int) {
    let player = makePlayer(PlayerState(points: 8, step: 5, minimum: 0, maximum: 10, pointUpdateLimit: 100))
    for action in actions { player.perform(action) }
    #expect(player.state.points == points && player.state.pointUpdates == updates)
  }

  @Test func eachEventHasASentence() async {
    // The event of an upload would never come if a task still slept on this clock.
    let player = PlayerViewModel(
      PlayerState(points: 1), uploader: PromptUploader(failing: [true]), clock: ManualClock())
    let record = PlayerRecord(player)
    player.perform(.rename("Nobody"))
    #expect(await record.nextEvent().message == "The name Nobody is forbidden.")
    player.perform(.rename("Ann"), .upload)
    #expect(await record.nextEvent().message == "Could not upload Ann with 1 point: no room")
    player.perform(.upload)
    #expect(await record.nextEvent().message == "Uploaded Ann with 1 point.")
    #expect(player.state.lastEvent?.message == "Uploaded Ann with 1 point.")
  }
}
