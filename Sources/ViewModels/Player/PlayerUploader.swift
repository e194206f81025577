/// Uploads the player form.
///
/// It is an actor, or another type that is `Sendable`:
///
/// ```swift
/// struct Server: PlayerUploader {
///   func upload(_ upload: PlayerUpload) async throws {
///     try await post("/players", upload.name, upload.points)
///   }
/// }
/// ```
public protocol PlayerUploader: Sendable {
  /// Uploads, and returns when the upload has succeeded.
  ///
  /// The model calls it in the background, never on the main actor, and one call at a time. The model cancels
  /// its task if it takes too long. Whether it then returns or throws still decides the result.
  ///
  /// - Parameter upload: The data to upload.
  /// - Throws: Any error if the upload failed; the model reports it.
  @concurrent
  func upload(_ upload: PlayerUpload) async throws
}
