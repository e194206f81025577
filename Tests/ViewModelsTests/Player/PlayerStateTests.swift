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

  struct Validity: Sendable, CustomTestStringConvertible {
    let actions: [PlayerAction]
    let isValid: Bool
    var testDescription: String { "\(actions): \(isValid)" }
  }

  @Test(
    "valid is a name that is neither empty, spaced nor forbidden, and points in the range",
    arguments: [
      Validity(actions: [], isValid: true),
      Validity(actions: [.rename("")], isValid: false),
      Validity(actions: [.rename("Ann Lee")], isValid: false),
      Validity(actions: [.rename("Ann\u{a0}Lee")], isValid: false),
      Validity(actions: [.rename(" ")], isValid: false),
      Validity(actions: [.rename("Ann")], isValid: true),
      Validity(actions: [.rename("Nobody")], isValid: false),
      Validity(actions: [.setForbiddenNames(["Colin"])], isValid: false),
      Validity(actions: [.setForbiddenNames(["Colin"]), .setForbiddenNames([])], isValid: true),
      Validity(actions: [.setPoints(0)], isValid: true),
      Validity(actions: [.setPoints(-1)], isValid: false),
      Validity(actions: [.setPoints(10_000)], isValid: true),
      Validity(actions: [.setPoints(10_001)], isValid: false),
      Validity(actions: [.setMinimum(100)], isValid: true),
      Validity(actions: [.setMinimum(101)], isValid: false),
      Validity(actions: [.setMaximum(100)], isValid: true),
      Validity(actions: [.setMaximum(99)], isValid: false),
      Validity(actions: [.setMinimum(10), .setMaximum(5)], isValid: false),
    ])
  func validity(_ validity: Validity) {
    let player = makePlayer()
    for action in validity.actions { player.perform(action) }
    #expect(player.state.isValid == validity.isValid)
    #expect(player.state.isUploadEnabled == validity.isValid)
    player.perform(.upload)
    #expect(player.state.isUploading == validity.isValid, "an upload that is not permitted does not begin")
  }

  @Test func stepsEndAtTheLimits() {
    let player = makePlayer(PlayerState(points: 8, step: 5, minimum: 0, maximum: 10, pointUpdateLimit: 100))
    player.perform(.stepUp)
    #expect(player.state.points == 10)
    player.perform(.stepUp)
    #expect(player.state.points == 10 && player.state.pointUpdates == 1)
    player.perform(.stepDown, .stepDown, .stepDown)
    #expect(player.state.points == 0 && player.state.pointUpdates == 3)
  }

  @Test func aStepFromOutsideTheLimitsLeadsTowardsThemOnly() {
    let player = makePlayer(PlayerState(points: 20, step: 5, minimum: 0, maximum: 10, pointUpdateLimit: 100))
    player.perform(.stepUp)
    #expect(player.state.points == 20 && player.state.pointUpdates == 0)
    player.perform(.stepDown)
    #expect(player.state.points == 15)
    player.perform(.setPoints(-20), .stepDown)
    #expect(player.state.points == -20)
    player.perform(.stepUp)
    #expect(player.state.points == -15)
  }

  @Test func aStepThatOverflowsEndsAtTheLimit() {
    let player = makePlayer(
      PlayerState(points: .max - 1, step: .max, minimum: .min, maximum: .max, pointUpdateLimit: 100))
    player.perform(.stepUp)
    #expect(player.state.points == .max)
    player.perform(.setPoints(.min + 1), .stepDown)
    #expect(player.state.points == .min)
  }

  @Test func eachEventHasASentence() async {
    // The event of an upload would never come if a task still slept on this clock.
    let player = PlayerViewModel(
      PlayerState(points: 1), uploader: PromptUploader(failing: [true]), clock: HandClock())
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
