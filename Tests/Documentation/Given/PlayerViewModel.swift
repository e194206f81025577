// The samples run on the main actor.
import Protectors
import ViewModels

struct Server: PlayerUploader {
  func upload(_ upload: PlayerUpload) async throws {}
}
let server = Server()
@MainActor
final class Stepper {
  var isHidden = false
}
@MainActor let stepper = Stepper()
@MainActor
final class Banner {
  var text = ""
}
@MainActor let banner = Banner()
