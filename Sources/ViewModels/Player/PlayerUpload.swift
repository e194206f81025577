/// The data of an upload: the player's name and points when the upload began.
public struct PlayerUpload: Sendable, Equatable {
  /// The player's name when the upload began.
  public let name: String

  /// The player's points when the upload began.
  public let points: Int

  /// A description such as "Ann with 3 points", for messages about the upload.
  public let message: String

  /// Captures the data of an upload.
  init(name: String, points: Int) {
    self.name = name
    self.points = points
    message = "\(name) with \(points) \(points == 1 ? "point" : "points")"
  }
}
