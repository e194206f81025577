internal import ViewModels

/// Where the player form is uploaded to: nowhere, slowly, and every third time in vain.
actor SimulatedServer: PlayerUploader {
  /// Why an upload was refused.
  struct Busy: Error, CustomStringConvertible {
    let description = "the server is busy"
  }

  private let delay: Duration
  private var uploads = 0

  /// - Parameter delay: How long an upload takes.
  init(delay: Duration = .milliseconds(800)) {
    self.delay = delay
  }

  func upload(_ upload: PlayerUpload) async throws {
    try await Task.sleep(for: delay)
    uploads += 1
    if uploads.isMultiple(of: 3) { throw Busy() }
  }
}
