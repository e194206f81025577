import ViewModels

/// An uploader whose uploads end immediately; `true` in `failures` makes the corresponding upload fail.
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
