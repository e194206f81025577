import ViewModels

/// An uploader that ends uploads at once, with the given results and then with success.
actor PromptUploader: PlayerUploader {
  struct Refused: Error, CustomStringConvertible {
    var description: String { "no room" }
  }

  private var failures: [Bool]

  init(failing failures: [Bool] = []) {
    self.failures = failures
  }

  func upload(_ upload: PlayerUpload) async throws {
    if !failures.isEmpty, failures.removeFirst() { throw Refused() }
  }
}
