/// An event to report to the user of the player form: a refused name, or the end of an upload.
public enum PlayerEvent: Sendable, Equatable {
  /// A forbidden name was entered, and the form has cleared it.
  ///
  /// The associated value is the forbidden name.
  case forbiddenName(String)

  /// An upload has succeeded.
  case uploaded(PlayerUpload)

  /// An upload has failed.
  case uploadFailed(PlayerUpload, PlayerUploadFailure)

  /// A message for the user.
  public var message: String {
    switch self {
    case .forbiddenName(let name): "The name \(name) is forbidden."
    case .uploaded(let upload): "Uploaded \(upload.message)."
    case .uploadFailed(let upload, .refused(let reason)): "Could not upload \(upload.message): \(reason)"
    case .uploadFailed(let upload, .timedOut): "Could not upload \(upload.message) in time."
    }
  }
}
