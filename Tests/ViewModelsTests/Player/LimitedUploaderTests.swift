import TestSupport
import Testing
import ViewModels

/// Tests `LimitedUploader`, which limits the concurrent uploads of several forms.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct LimitedUploaderTests {
  @Test("the forms that share an uploader make no more uploads at a time than it permits")
  func limit() async {
    let uploader = HeldUploader()
    let shared = LimitedUploader(uploader, uploads: 2)
    let players = (0..<5).map {
      PlayerViewModel(PlayerState(name: "player-\($0)"), uploader: shared, uploadTimeout: .seconds(3600))
    }
    for player in players { player.perform(.upload) }
    for count in 2...5 {
      await uploader.waitUntilBegun(count)
      #expect(await uploader.begun.count == count)
      await uploader.end()
    }
    await uploader.end()
    #expect(await uploader.mostAtOnce == 2)
    #expect(await Set(uploader.begun.map(\.name)).count == 5)
    for player in players { while player.state.isUploading { await Task.yield() } }
    #expect(players.allSatisfy { $0.state.uploads == 1 })
  }

  @Test("an upload that is cancelled while it waits is not made")
  func cancelled() async {
    let uploader = HeldUploader()
    let shared = LimitedUploader(uploader, uploads: 1)
    let player = PlayerViewModel(uploader: shared, uploadTimeout: .seconds(3600))
    player.perform(.upload)
    await uploader.waitUntilBegun(1)
    let upload = await uploader.begun[0]
    let waiting = Task { try await shared.upload(upload) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await uploader.end()
    while player.state.isUploading { await Task.yield() }
    #expect(await uploader.begun.count == 1)
  }
}
