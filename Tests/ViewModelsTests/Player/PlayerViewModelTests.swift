import Observation
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct PlayerViewModelTests {
  private func makePlayer(_ state: PlayerState = PlayerState()) -> PlayerViewModel {
    PlayerViewModel(state, uploader: PromptUploader())
  }

  // MARK: Forbidden names and re-entrant changes

  @Test("a forbidden name emits an event and clears the name, in one transaction")
  func aForbiddenName() {
    let player = makePlayer()
    let notified = Record<String>()
    let names = player.states.map(\.name).observe(notified.add)
    let events = Record<PlayerEvent>()
    let subscription = player.events.observe { event in
      // The model clears the forbidden name before it emits the event.
      #expect(player.state.name == "")
      events.add(event)
    }
    player.perform(.rename("Nobody"))
    #expect(notified.values == ["Colin", ""])
    #expect(events.values == [.forbiddenName("Nobody")])
    #expect(player.state.lastEvent == .forbiddenName("Nobody"))
    // The same name is entered again: the state does not change, but there is another event.
    player.perform(.rename("Nobody"))
    #expect(notified.values == ["Colin", ""])
    #expect(events.values.count == 2)
    names.end()
    subscription.end()
  }

  @Test("a re-entrant change from the handler is queued, not lost, not seen half-way")
  func aReentrantChange() {
    let player = makePlayer()
    let log = Record<String>()
    let first = player.states.map(\.name).observe { log.add("first \($0)") }
    let handler = player.events.observe { _ in
      player.perform(.rename("Ann"), .stepUp)
      // `perform` has only queued the new name, because observers are still being notified of the event.
      #expect(player.state.name == "")
      player.perform(.rename("Bob"))
      log.add("handled")
    }
    let second = player.states.map { "\($0.name) \($0.points)" }.observe { log.add("second \($0)") }
    player.perform(.rename("Nobody"))
    #expect(
      log.values == [
        "first Colin", "second Colin 100", "first ", "second  100", "handled",
        "first Ann", "second Ann 101", "first Bob", "second Bob 101",
      ])
    #expect(player.state.name == "Bob")
    first.end()
    handler.end()
    second.end()
  }

  @Test("a change from the first call of an observer is not notified inside it")
  func aChangeFromTheFirstCall() {
    let player = makePlayer()
    let log = Record<String>()
    let subscription = player.states.map(\.points).observe { points in
      log.add("begin \(points)")
      if points < 103 { player.perform(.stepUp) }
      log.add("end \(points)")
    }
    #expect(
      log.values == [
        "begin 100", "end 100", "begin 101", "end 101", "begin 102", "end 102", "begin 103", "end 103",
      ])
    subscription.end()
  }

  @Test("actions of an observer's first call are performed after it, and notified to all in order")
  func actionsOfTheFirstCall() {
    let player = makePlayer()
    let log = Record<String>()
    let first = player.states.map(\.points).observe { log.add("first \($0)") }
    let labels = player.states.map(\.name).combine(player.states.map(\.points)) { "\($1) \($0)" }
    let derived = labels.observe { label in
      #expect(label == "\(player.state.points) \(player.state.name)")
    }
    let second = player.states.map(\.points).observe { points in
      log.add("second \(points)")
      guard points == 100 else { return }
      player.perform(.stepUp, .rename("Bob"))
      #expect(player.state.points == 100 && player.state.name == "Colin")
      player.perform(.stepUp)
      #expect(player.state.points == 100)
      // A new observer is first called with the state that is being delivered, without the queued changes.
      let inner = player.states.map(\.points).observe { log.add("inner \($0)") }
      inner.end()
    }
    // When `observe` returns, all transactions that the observer has queued have been performed.
    #expect(player.state.points == 102 && player.state.name == "Bob")
    #expect(
      log.values == [
        "first 100", "second 100", "inner 100", "first 101", "second 101", "first 102", "second 102",
      ])
    player.perform(.stepUp)
    #expect(log.values.suffix(2) == ["first 103", "second 103"])
    first.end()
    derived.end()
    second.end()
  }

  // MARK: Validity

  @Test("validity follows each input, and no half-updated combination is delivered")
  func validityIsDerived() {
    let player = makePlayer()
    let notified = Record<Bool>()
    let validity = player.states.map(\.isValid).observe(notified.add)
    let states = Record<PlayerState>()
    let all = player.states.observe(states.add)
    player.perform(.setMinimum(101))
    player.perform(.stepUp)
    player.perform(.setForbiddenNames(["Colin"]))
    player.perform(.setForbiddenNames([]))
    player.perform(.setMaximum(50))
    #expect(notified.values == [true, false, true, false, true, false])
    player.perform(.setMaximum(10_000))
    let count = notified.values.count
    // Each of the following transactions leads from one valid state to another. The model does not deliver
    // the invalid states between two actions of a transaction.
    player.perform(.setMinimum(9_000), .setPoints(9_500))
    player.perform(.setMinimum(0), .setPoints(10), .setMaximum(20))
    player.perform(.rename("Bob"), .setForbiddenNames(["Colin"]))
    player.perform(.rename("Colin"), .setForbiddenNames(["Bob"]), .rename("Ann"))
    #expect(notified.values.count == count)
    #expect(states.values.suffix(5).map(\.isValid) == Array(repeating: true, count: 5))
    validity.end()
    all.end()
  }

  @Test("other threads never read a half-updated combination")
  func otherThreadsReadWholeStates() {
    let low = PlayerState(name: "low", points: 15, minimum: 10, maximum: 20, pointUpdateLimit: .max)
    let player = makePlayer(low)
    let isOver = RelaxedFlag()
    let wrong = RelaxedCounter()
    let read = RelaxedCounter()
    let start = MeetingPoint(parties: 3)
    let readers = (0..<2).map { _ in
      ReaderThread {
        start.meet()
        repeat {
          let state = player.snapshot
          let isLow = state.name == "low" && state.maximum == 20
          let isHigh = state.name == "high" && state.maximum == 2_000
          if !state.isValid || isLow == isHigh { wrong.add(1) }
          read.add(1)
        } while !isOver.isSet
      }
    }
    start.meet()
    // The main thread alternates between two valid states until the readers have read often enough.
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
    for reader in readers { reader.join() }
    #expect(wrong.value == 0)
  }

  // MARK: Limits

  @Test("the 11th point update is ignored and the stepper is hidden")
  func theEleventhPointUpdate() {
    let player = makePlayer()
    let notified = Record<Bool>()
    let subscription = player.states.map(\.isStepperVisible).observe(notified.add)
    for _ in 0..<9 { player.perform(.stepUp) }
    // The points are 109 already, so `setPoints(109)` changes nothing and does not count as a point update.
    player.perform(.setPoints(109))
    #expect(player.state.isStepperVisible)
    player.perform(.stepDown)
    #expect(player.state.pointUpdates == 10)
    #expect(player.state.points == 108)
    #expect(notified.values == [true, false])
    player.perform(.stepUp)
    player.perform(.stepDown)
    player.perform(.setPoints(1))
    #expect(player.state.points == 108)
    #expect(player.state.pointUpdates == 10)
    // The rest of the form stays enabled.
    #expect(player.state.isNameEnabled && player.state.isUploadVisible)
    player.perform(.reset)
    #expect(notified.values == [true, false, true])
    subscription.end()
  }

  @Test("the 5th success disables the name and hides stepper and upload; presses don't count")
  func theFifthUpload() async {
    let failing = [false, true, true, false, false, true, false, false]
    let player = PlayerViewModel(uploader: PromptUploader(failing: failing))
    let events = player.events.values()
    var iterator = events.makeAsyncIterator()
    for (press, fails) in failing.enumerated() {
      let state = player.state
      #expect(state.isNameEnabled && state.isStepperVisible && state.isUploadVisible)
      player.perform(.upload)
      player.perform(.upload)
      let event = await iterator.next()
      switch event {
      case .uploaded: #expect(!fails)
      case .uploadFailed(_, let failure): #expect(fails && failure == .refused("no room"))
      case .forbiddenName, nil: Issue.record("press \(press): \(String(describing: event))")
      }
    }
    let state = player.state
    #expect(state.uploads == 5)
    #expect(!state.isNameEnabled && !state.isStepperVisible && !state.isUploadVisible)
    player.perform(.rename("Ann"), .stepUp, .setPoints(3), .upload)
    #expect(player.state == state)
  }

  // MARK: Outside

  @Test("without a user interface, with a fake clock and uploader; others only read")
  func withoutAnInterface() async {
    let uploader = HeldUploader()
    let clock = HandClock()
    let player = PlayerViewModel(uploader: uploader, uploadTimeout: .seconds(30), clock: clock)
    let events = player.events.values()
    player.perform(.rename("Ann"), .stepUp)
    player.perform(.upload)
    await uploader.waitUntilBegun(1)
    await clock.waitForSleeper()
    clock.advance(by: .seconds(29))
    #expect(player.state.isUploading)
    let seen = onAnotherThread { player.snapshot }
    #expect(seen == player.state && seen.currentUpload?.name == "Ann")
    await uploader.end()
    for await event in events {
      #expect(event == player.state.lastEvent)
      break
    }
    #expect(player.state.uploads == 1 && !player.state.isUploading)
  }

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

  // MARK: Observation

  @Test("the Observation module is notified of each change, and of nothing else")
  func observation() {
    let player = makePlayer()
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
    let player = makePlayer()
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
