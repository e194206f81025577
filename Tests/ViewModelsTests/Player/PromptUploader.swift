import ViewModels

/// An uploader whose uploads end immediately.
///
/// Each upload removes the first element of `failures`, and fails if that element is `true`. When `failures`
/// is empty, uploads succeed.
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
