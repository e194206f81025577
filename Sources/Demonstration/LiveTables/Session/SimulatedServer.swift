internal import AsyncLocks
internal import ViewModels

/// A simulated server for the player form: it is slow, and refuses every third upload.
///
/// The server has one connection. An upload holds it until the upload has ended, even during an `await`. An
/// actor would let another upload begin during the `await`.
final class SimulatedServer: PlayerUploader {
  /// The error of a refused upload.
  struct Busy: Error, CustomStringConvertible {
    let description = "the server is busy"
  }

  private struct Connection: Sendable {
    var uploads = 0
  }

  private let delay: Duration
  private let connection = AsyncMutex(Connection(), label: "connection")

  /// Makes a server.
  ///
  /// - Parameter delay: The time that an upload takes.
  init(delay: Duration = .milliseconds(800)) {
    self.delay = delay
  }

  func upload(_ upload: PlayerUpload) async throws {
    let isDone = try await connection.withLockUnlessCancelled { connection in
      try await Task.sleep(for: delay)
      connection.uploads += 1
      if connection.uploads.isMultiple(of: 3) { throw Busy() }
    }
    if !isDone { throw CancellationError() }
  }
}
