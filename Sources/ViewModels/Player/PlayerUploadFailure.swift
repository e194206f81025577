/// Why an upload did not succeed.
public enum PlayerUploadFailure: Error, Sendable, Equatable {
  /// The uploader threw an error; this is its description.
  case refused(String)

  /// The uploader took too long, was cancelled for that reason, and then threw an error.
  case timedOut
}
