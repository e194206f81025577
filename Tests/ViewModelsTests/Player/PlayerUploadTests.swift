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

  @Test("one at a time")
  func oneAtATime() async {
    let uploader = HeldUploader()
    let player = PlayerViewModel(uploader: uploader)
    let record = PlayerRecord(player)
    player.perform(.upload)
    player.perform(.upload)
    await uploader.waitUntilBegun(1)
    #expect(!player.state.isUploadEnabled)
    player.perform(.upload)
    player.perform(.reset)
    #expect(!player.state.isUploadEnabled)
    player.perform(.upload)
    await uploader.end()
    await record.nextEvent()
    player.perform(.upload)
    await uploader.waitUntilBegun(2)
    await uploader.end()
    await record.nextEvent()
    #expect(await uploader.begun.count == 2)
    #expect(await uploader.mostAtOnce == 1)
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
    let event = await record.nextEvent()
    guard case .uploaded(let upload) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(upload.name == "Ann" && upload.points == 7)
    #expect(event.message == "Uploaded Ann with 7 points.")
    #expect(await uploader.begun.map(\.name) == ["Ann"])
    #expect(await uploader.begun.map(\.points) == [7])
    #expect(player.state.name == "Carl")
  }

  @Test("failure is reported, and the next upload can begin")
  func failureIsReported() async {
    let player = PlayerViewModel(uploader: PromptUploader(failing: [true]), uploadTimeout: .seconds(3600))
    let record = PlayerRecord(player)
    player.perform(.upload)
    let event = await record.nextEvent()
    guard case .uploadFailed(let upload, .refused("no room")) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(upload.name == "Colin")
    #expect(player.state.uploads == 0 && player.state.isUploadEnabled)
    #expect(player.state.lastEvent?.message == "Could not upload Colin with 100 points: no room")
    player.perform(.upload)
    await record.nextEvent()
    #expect(player.state.uploads == 1)
  }

  @Test("an upload that is not permitted does not begin")
  func notPermitted() async {
    let uploader = HeldUploader()
    let player = PlayerViewModel(PlayerState(name: ""), uploader: uploader)
    player.perform(.upload)
    #expect(!player.state.isUploading)
    player.perform(.rename("Ann"), .upload)
    await uploader.waitUntilBegun(1)
    #expect(await uploader.begun.map(\.name) == ["Ann"])
    await uploader.end()
  }

  @Test("the success of an upload from before a reset is not counted")
  func resetDuringAnUpload() async {
    let uploader = HeldUploader()
    let player = PlayerViewModel(uploader: uploader)
    let record = PlayerRecord(player)
    player.perform(.rename("Ann"), .upload)
    await uploader.waitUntilBegun(1)
    player.perform(.reset)
    #expect(player.state.name == "Colin" && player.state.isUploading)
    await uploader.end()
    let event = await record.nextEvent()
    #expect(event.message == "Uploaded Ann with 100 points.")
    #expect(player.state.uploads == 0 && !player.state.isUploading)
    // The next upload is counted again.
    player.perform(.upload)
    await uploader.waitUntilBegun(2)
    await uploader.end()
    await record.nextEvent()
    #expect(player.state.uploads == 1)
  }

  // MARK: The limit of time

  /// An uploader that runs until it is cancelled, and then ends with success or with an error.
  private struct StubbornUploader: PlayerUploader {
    let succeeds: Bool
    let clock = HandClock()

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
    let clock = HandClock()
    let uploader = StubbornUploader(succeeds: succeeds)
    let player = PlayerViewModel(uploader: uploader, uploadTimeout: .seconds(30), clock: clock)
    let record = PlayerRecord(player)
    player.perform(.upload)
    await uploader.clock.waitForSleeper()
    await clock.waitForSleeper()
    clock.advance(by: .seconds(29))
    #expect(clock.sleeping == 1)
    clock.advance(by: .seconds(1))
    let event = await record.nextEvent()
    switch event {
    case .uploaded: #expect(succeeds)
    case .uploadFailed(_, let failure): #expect(!succeeds && failure == .timedOut)
    case .forbiddenName: Issue.record("\(event)")
    }
    #expect(player.state.uploads == (succeeds ? 1 : 0))
    #expect(uploader.clock.sleeping == 0)
  }

  @Test func nothingSleepsOnTheClockAfterAnUpload() async {
    let clock = HandClock()
    let player = PlayerViewModel(uploader: PromptUploader(), clock: clock)
    let record = PlayerRecord(player)
    player.perform(.upload)
    await record.nextEvent()
    #expect(clock.sleeping == 0)
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
