/// Uploads the player form.
///
/// An uploader is an actor or another `Sendable` type:
///
/// ```swift
/// struct Server: PlayerUploader {
///   func upload(_ upload: PlayerUpload) async throws {
///     try await post("/players", upload.name, upload.points)
///   }
/// }
/// ```
public protocol PlayerUploader: Sendable {
  /// Uploads the form's data, and returns when the upload has succeeded.
  ///
  /// The model makes one call at a time, in the background, never on the main actor. If a call takes too
  /// long, the model cancels its task. Even after a cancellation, the upload has succeeded if the call
  /// returns, and failed if it throws.
  ///
  /// - Parameter upload: The data to upload.
  /// - Throws: Any error if the upload failed; the model reports it.
  @concurrent
  func upload(_ upload: PlayerUpload) async throws
}
