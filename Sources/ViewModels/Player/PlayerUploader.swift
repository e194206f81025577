/// Where the player form is uploaded to.
///
/// An actor, or any object or value that can be used by several threads:
///
/// ```swift
/// struct Server: PlayerUploader {
///   func upload(_ upload: PlayerUpload) async throws {
///     try await post("/players", upload.name, upload.points)
///   }
/// }
/// ```
public protocol PlayerUploader: Sendable {
  /// Uploads, and returns when that has succeeded.
  ///
  /// It is called in the background, never on the main actor, and never again before it has ended. Its task is cancelled
  /// when it takes longer than the model permits; what counts is how it ends, also then.
  ///
  /// - Parameter upload: What to upload.
  /// - Throws: Any error, when it has not succeeded; the model reports it.
  @concurrent
  func upload(_ upload: PlayerUpload) async throws
}
