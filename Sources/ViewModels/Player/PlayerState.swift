/// All that the player form is: what was entered, the limits, and what was counted.
///
/// One value, so that whoever reads it has everything from the same moment: whether the form is valid, what it shows and
/// what may be pressed are computed from this value and are never out of step with it (see `isValid` and its
/// neighbours). Outside the module it can be made and read; it changes only by the actions of a `PlayerViewModel`.
public struct PlayerState: Sendable, Equatable {
  /// The player's name.
  public internal(set) var name: String

  /// The player's points.
  public internal(set) var points: Int

  /// How many points a step up or down is; at least 1.
  public internal(set) var step: Int

  /// The least number of points that is valid.
  public internal(set) var minimum: Int

  /// The greatest number of points that is valid.
  public internal(set) var maximum: Int

  /// How often the points may change.
  public let pointUpdateLimit: Int

  /// How many uploads may succeed.
  public let uploadLimit: Int

  /// Names that nobody may have, as they are written.
  public internal(set) var forbiddenNames: Set<String>

  /// How often the points have changed.
  public internal(set) var pointUpdates = 0

  /// How many uploads have succeeded.
  public internal(set) var uploads = 0

  /// The upload that is under way; `nil` when there is none.
  public internal(set) var currentUpload: PlayerUpload?

  /// What happened last; `nil` when nothing has since the form was made or reset.
  public internal(set) var lastEvent: PlayerEvent?

  /// Whether the form was reset while the current upload is under way: its success is then none of this form's.
  var isCurrentUploadForgotten = false

  /// Makes the state of a form that nobody has touched.
  ///
  /// - Parameters:
  ///   - name: The player's name.
  ///   - points: The player's points.
  ///   - step: How many points a step is; less than 1 traps.
  ///   - minimum: The least number of points that is valid.
  ///   - maximum: The greatest number of points that is valid. Where it is less than `minimum`, no number is.
  ///   - pointUpdateLimit: How often the points may change; a negative number traps.
  ///   - uploadLimit: How many uploads may succeed; a negative number traps.
  ///   - forbiddenNames: Names that nobody may have.
  public init(
    name: String = "Colin",
    points: Int = 100,
    step: Int = 1,
    minimum: Int = 0,
    maximum: Int = 10_000,
    pointUpdateLimit: Int = 10,
    uploadLimit: Int = 5,
    forbiddenNames: Set<String> = ["Anonymous", "Nobody"]
  ) {
    Self.checkStep(step)
    Self.checkLimit(pointUpdateLimit)
    Self.checkLimit(uploadLimit)
    self.name = name
    self.points = points
    self.step = step
    self.minimum = minimum
    self.maximum = maximum
    self.pointUpdateLimit = pointUpdateLimit
    self.uploadLimit = uploadLimit
    self.forbiddenNames = forbiddenNames
  }
}
