import Observation
import Protectors
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct PlayerViewModelTests {
  private let player = PlayerViewModel(uploader: PromptUploader())

  // MARK: Forbidden names and re-entrant changes

  @Test("a forbidden name emits an event and clears the name, in one transaction")
  func aForbiddenName() {
    let record = PlayerRecord(player)
    var namesAtEvents: [String] = []
    let add = player.onEvent
    player.onEvent = { [unowned player] in
      namesAtEvents.append(player.state.name)
      add?($0)
    }
    player.perform(.rename("Nobody"))
    #expect(namesAtEvents == [""] && record.events == [.forbiddenName("Nobody")])
    #expect(player.state.lastEvent == .forbiddenName("Nobody") && record.changes.value == 1)
    // The same name is entered again: the state does not change, but there is another event.
    player.perform(.rename("Nobody"))
    #expect(record.events.count == 2)
  }

  @Test("a re-entrant change from the handler is queued, not lost, not seen half-way")
  func aReentrantChange() {
    var log: [String] = []
    let note = { [unowned player] (step: String) in
      log.append("\(step) \(player.state.name) \(player.state.points)")
    }
    player.onEvent = { [unowned player] _ in
      note("event")
      player.perform(.rename("Ann"), .stepUp)
      // `perform` has only queued the changes.
      note("queued")
      player.perform(.rename("Nobody"))
      if log.count < 4 { return }
      player.onEvent = { [unowned player] _ in
        note("last")
        player.perform(.rename("Bob"))
      }
    }
    player.perform(.rename("Nobody"))
    #expect(log == ["event  100", "queued  100", "event  101", "queued  101", "last  102"])
    #expect(player.state.name == "Bob" && player.state.points == 102)
  }

  // MARK: States

  @Test("tasks get distinct states, each the newest one")
  func states() async {
    var states = player.states.makeAsyncIterator()
    #expect(await states.next() == player.state)
    player.perform(.rename("Ann"))
    player.perform(.stepUp)
    #expect(await states.next() == player.state, "the newest one")
    player.perform(.rename("Bob"))
    player.perform(.rename("Ann"))
    player.perform(.setStep(1))
    player.perform(.setMinimum(1))
    let state = await states.next()
    #expect(state?.minimum == 1, "the state that was the same again is skipped")
  }

  @Test("other threads never read a half-updated combination")
  func otherThreadsReadWholeStates() {
    let low = PlayerState(name: "low", points: 15, minimum: 10, maximum: 20, pointUpdateLimit: .max)
    let player = PlayerViewModel(low, uploader: PromptUploader())
    let isOver = RelaxedFlag()
    let wrong = RelaxedCounter()
    let read = RelaxedCounter()
    let reader = PlatformThread {
      while !isOver.isSet {
        let state = player.snapshot
        let isLow = state.name == "low" && state.maximum == 20
        let isHigh = state.name == "high" && state.maximum == 2_000
        if !state.isValid || isLow == isHigh { wrong.add(1) }
        read.add(1)
      }
    }
    // The main thread alternates between two valid states until the reader has read often enough.
    var round = 0
    while read.value < StressSize.pick(quick: 20_000, full: 2_000_000) {
      if round.isMultiple(of: 2) {
        player.perform(.rename("high"), .setMinimum(1_000), .setMaximum(2_000), .setPoints(1_500))
      } else {
        player.perform(.setPoints(15), .setMaximum(20), .rename("low"), .setMinimum(10))
      }
      round += 1
    }
    isOver.set()
    reader.join()
    #expect(wrong.value == 0)
  }

  // MARK: Limits

  @Test("the 11th point update is ignored and the stepper is hidden")
  func theEleventhPointUpdate() {
    for _ in 0..<9 { player.perform(.stepUp) }
    // The points are 109 already, so `setPoints(109)` changes nothing and does not count as a point update.
    player.perform(.setPoints(109))
    #expect(player.state.isStepperVisible)
    player.perform(.stepDown)
    #expect(player.state.pointUpdates == 10)
    #expect(player.state.points == 108)
    #expect(!player.state.isStepperVisible)
    player.perform(.stepUp)
    player.perform(.stepDown)
    player.perform(.setPoints(1))
    #expect(player.state.points == 108)
    #expect(player.state.pointUpdates == 10)
    // The rest of the form stays enabled.
    #expect(player.state.isNameEnabled && player.state.isUploadVisible)
    player.perform(.reset)
    #expect(player.state.isStepperVisible)
  }

  @Test("the 5th success disables the name and hides stepper and upload; presses don't count")
  func theFifthUpload() async {
    let failing = [false, true, true, false, false, true, false, false]
    let player = PlayerViewModel(uploader: PromptUploader(failing: failing), uploadTimeout: .seconds(3600))
    let record = PlayerRecord(player)
    for (press, fails) in failing.enumerated() {
      let state = player.state
      #expect(state.isNameEnabled && state.isStepperVisible && state.isUploadVisible)
      player.perform(.upload)
      player.perform(.upload)
      let event = await record.nextEvent()
      switch event {
      case .uploaded: #expect(!fails)
      case .uploadFailed(_, let failure): #expect(fails && failure == .refused("no room"))
      case .forbiddenName: Issue.record("press \(press): \(event)")
      }
    }
    let state = player.state
    #expect(state.uploads == 5)
    #expect(!state.isNameEnabled && !state.isStepperVisible && !state.isUploadVisible)
    player.perform(.rename("Ann"), .stepUp, .setPoints(3), .upload)
    #expect(player.state == state)
  }

  // MARK: Names and observation

  @Test("the table of translated names is made once, whichever thread comes first")
  func translatedNames() {
    for _ in 0..<StressSize.pick(quick: 20, full: 2_000) {
      let made = RelaxedCounter()
      let translations = NameTranslations {
        made.add(1)
        return ["Colin": "Colin le Lapin", "Peter": "Pierre"]
      }
      let player = PlayerViewModel(translations: translations, uploader: PromptUploader())
      player.perform(.rename("Peter"))
      #expect(made.value == 0 && !translations.isMade)
      let seen = race(threads: 8) { index in
        index.isMultiple(of: 2) ? player.translatedName : player.translations["Peter"]
      }
      #expect(seen == Array(repeating: "Pierre", count: 8))
      #expect(made.value == 1 && translations.isMade)
      player.perform(.rename("Ann"))
      #expect(player.translatedName == "Ann")
      #expect(made.value == 1)
    }
  }

  @Test("the Observation module is notified of each change, and of nothing else")
  func observation() {
    let changes = RelaxedCounter()
    func track() -> String {
      withObservationTracking {
        player.state.name
      } onChange: {
        changes.add(1)
      }
    }
    #expect(track() == "Colin")
    player.perform(.rename("Colin"))
    #expect(changes.value == 0)
    player.perform(.rename("Ann"))
    #expect(changes.value == 1)
    player.perform(.rename("Bob"))
    #expect(changes.value == 1)
    #expect(track() == "Bob")
    player.perform(.rename(""), .setForbiddenNames(["Bob"]), .rename("Bob"))
    #expect(changes.value == 2)
    // The next name is refused, so the state does not change. A text field that shows the refused name must
    // be drawn again, so the Observation module must be notified.
    #expect(track() == "")
    player.perform(.rename("Bob"))
    #expect(changes.value == 3)
  }

  @Test("a change from an observer of the Observation module is queued, too")
  func aChangeFromObservation() {
    withObservationTracking {
      _ = player.state
    } onChange: {
      // The change of the name calls this closure on the main actor.
      MainActor.assumeIsolated { player.perform(.stepUp) }
    }
    player.perform(.rename("Ann"))
    #expect(player.state.name == "Ann" && player.state.points == 101)
  }
}
