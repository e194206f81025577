/// What is uploaded, as it was when the button was pressed.
public struct PlayerUpload: Sendable, Equatable {
  /// The player's name at the press.
  public let name: String

  /// The player's points at the press.
  public let points: Int

  /// What to say about the upload, also made at the press.
  public let message: String

  /// Captures what is uploaded.
  init(name: String, points: Int) {
    self.name = name
    self.points = points
    message = "\(name) with \(points) \(points == 1 ? "point" : "points")"
  }
}
