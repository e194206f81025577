// The samples run on the main actor.
import ViewModels

struct Server: PlayerUploader {
  func upload(_ upload: PlayerUpload) async throws {}
}
@MainActor let model = PlayerViewModel(uploader: Server())
@MainActor
final class Button {
  var isEnabled = false
}
@MainActor let button = Button()
