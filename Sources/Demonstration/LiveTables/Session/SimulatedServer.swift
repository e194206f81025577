internal import ViewModels

/// A simulated server for the player form: it is slow, and refuses every third upload.
actor SimulatedServer: PlayerUploader {
  /// The error of a refused upload.
  struct Busy: Error, CustomStringConvertible {
    let description = "the server is busy"
  }

  private let delay: Duration
  private var uploads = 0

  /// Makes a server.
  ///
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
