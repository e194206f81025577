/// Why an upload did not succeed.
public enum PlayerUploadFailure: Error, Sendable, Equatable {
  /// The uploader threw an error; the associated value is the error's description.
  case refused(String)

  /// The upload took longer than its timeout and was therefore cancelled, and the uploader then threw an
  /// error.
  case timedOut
}
