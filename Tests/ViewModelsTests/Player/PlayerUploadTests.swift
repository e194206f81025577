import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct PlayerUploadTests {
  /// An uploader that sends a signal when it has done its work, even while the main thread is blocked.
  private struct SignallingUploader: PlayerUploader {
    let done: Signal

    func upload(_ upload: PlayerUpload) async throws { done.send() }
  }

  @Test("the upload runs in the background, the completion on the main actor")
  func inTheBackground() async {
    let done = Signal()
    let player = PlayerViewModel(uploader: SignallingUploader(done: done))
    let record = PlayerRecord(player)
    player.perform(.upload)
    // Block the main thread until the uploader has done its work, so that the completion can't run yet.
    done.wait()
    #expect(player.state.isUploading)
    #expect(record.events.isEmpty)
    await record.nextEvent()
    #expect(!player.state.isUploading)
  }

  @Test("message and payload are what was captured at the press")
  func capturedAtThePress() async {
    let uploader = HeldUploader()
    let player = PlayerViewModel(PlayerState(name: "Ann", points: 7), uploader: uploader)
    let record = PlayerRecord(player)
    // The upload must have the name at the time of `.upload`, although the same transaction changes the name
    // afterwards.
    player.perform(.upload, .rename("Eve"))
    player.perform(.rename("Bob"), .stepUp)
    await uploader.waitUntilBegun(1)
    player.perform(.rename("Carl"))
    await uploader.end()
    #expect(await record.nextEvent().message == "Uploaded Ann with 7 points.")
    #expect(await uploader.begun.map(\.message) == ["Ann with 7 points"])
    #expect(player.state.name == "Carl")
  }

  @Test("one at a time, also after a reset; the success of an upload from before the reset is not counted")
  func oneAtATime() async {
    let uploader = HeldUploader()
    let player = PlayerViewModel(uploader: uploader)
    let record = PlayerRecord(player)
    player.perform(.rename("Ann"), .upload, .upload)
    await uploader.waitUntilBegun(1)
    player.perform(.upload)
    player.perform(.reset, .upload)
    #expect(player.state.name == "Colin" && player.state.isUploading && !player.state.isUploadEnabled)
    await uploader.end()
    #expect(await record.nextEvent().message == "Uploaded Ann with 100 points.")
    #expect(player.state.uploads == 0 && !player.state.isUploading)
    // The next upload is counted again.
    player.perform(.upload)
    await uploader.waitUntilBegun(2)
    await uploader.end()
    await record.nextEvent()
    #expect(player.state.uploads == 1)
    #expect(await uploader.begun.count == 2)
    #expect(await uploader.mostAtOnce == 1)
  }

  @Test("a form made from the state of another one has neither its upload nor its last event")
  func stateOfAnotherForm() async {
    let uploader = HeldUploader()
    let other = PlayerViewModel(uploader: uploader)
    other.perform(.rename("Nobody"))
    other.perform(.rename("Ann"), .upload)
    #expect(other.state.isUploading && other.state.lastEvent != nil)
    let player = PlayerViewModel(other.state, uploader: uploader, uploadTimeout: .seconds(Int64.max))
    #expect(player.state.isUploadEnabled && player.state.lastEvent == nil)
    let record = PlayerRecord(player)
    player.perform(.upload)
    await uploader.waitUntilBegun(2)
    for _ in 0..<2 { await uploader.end() }
    await record.nextEvent()
    #expect(player.state.uploads == 1)
    player.perform(.reset)
    #expect(player.state.isUploadEnabled && player.state.lastEvent == nil)
  }

  // MARK: The limit of time

  /// An uploader that runs until it is cancelled, and then ends with success or with an error.
  private struct StubbornUploader: PlayerUploader {
    let succeeds: Bool
    let clock = ManualClock()

    func upload(_ upload: PlayerUpload) async throws {
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        if !succeeds { throw error }
      }
    }
  }

  @Test("an upload that takes too long is cancelled and reported", arguments: [false, true])
  func tooLate(succeeds: Bool) async {
    let clock = ManualClock()
    let uploader = StubbornUploader(succeeds: succeeds)
    let player = PlayerViewModel(uploader: uploader, uploadTimeout: .seconds(30), clock: clock)
    let record = PlayerRecord(player)
    player.perform(.upload)
    await uploader.clock.untilATaskSleeps()
    await clock.untilATaskSleeps()
    clock.advance(by: .seconds(29))
    #expect(clock.sleeping == [.seconds(30)])
    clock.advance(by: .seconds(1))
    let event = await record.nextEvent()
    switch event {
    case .uploaded: #expect(succeeds)
    case .uploadFailed(_, let failure): #expect(!succeeds && failure == .timedOut)
    case .forbiddenName: Issue.record("\(event)")
    }
    #expect(player.state.uploads == (succeeds ? 1 : 0))
    #expect(uploader.clock.sleeping == [])
  }

  @Test("the model is not kept alive by an upload, and its result is dropped")
  func theModelGoesDuringAnUpload() async {
    let uploader = HeldUploader()
    weak var released: PlayerViewModel?
    let events = RelaxedCounter()
    do {
      let player = PlayerViewModel(uploader: uploader)
      released = player
      player.onEvent = { _ in events.add(1) }
      player.perform(.upload)
      await uploader.waitUntilBegun(1)
    }
    #expect(released == nil)
    await uploader.end()
    #expect(events.value == 0)
  }
}
