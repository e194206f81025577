import ViewModels

/// An uploader that ends its uploads at once, in the ways that the test has given, and then with success.
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
