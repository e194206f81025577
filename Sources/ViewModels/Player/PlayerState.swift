/// The state of the player form: the fields, the limits and the counters.
///
/// The state is one value, so a reader never gets a mix of old and new fields. The contents of the form are
/// computed from this value, for example by `isValid` and `isStepperVisible`. Other modules can make and read
/// a state. In a `PlayerViewModel`, the state changes only by actions and when an upload ends.
public struct PlayerState: Sendable, Equatable {
  /// The player's name.
  public internal(set) var name: String

  /// The player's points.
  public internal(set) var points: Int

  /// The size of a step, at least 1.
  public internal(set) var step: Int

  /// The least valid number of points.
  public internal(set) var minimum: Int

  /// The greatest valid number of points.
  public internal(set) var maximum: Int

  /// The greatest number of times that the points may change.
  public let pointUpdateLimit: Int

  /// The greatest number of uploads that may succeed.
  public let uploadLimit: Int

  /// The names that are not permitted.
  public internal(set) var forbiddenNames: Set<String>

  /// The number of times that the points have changed.
  public internal(set) var pointUpdates = 0

  /// The number of uploads that have succeeded.
  public internal(set) var uploads = 0

  /// The running upload; `nil` when there is none.
  public internal(set) var currentUpload: PlayerUpload?

  /// The last event; `nil` when there was none since the view model was made or reset.
  public internal(set) var lastEvent: PlayerEvent?

  /// Whether the view model was reset during the current upload.
  ///
  /// If so, the upload's success is not counted.
  var isCurrentUploadForgotten = false

  /// Makes the initial state of a form.
  ///
  /// - Parameters:
  ///   - name: The player's name.
  ///   - points: The player's points.
  ///   - step: By how many points the stepper changes the points at each press; less than 1 traps.
  ///   - minimum: The least number of points that is valid.
  ///   - maximum: The greatest number of points that is valid. If it is less than `minimum`, no number is
  ///     valid.
  ///   - pointUpdateLimit: The greatest number of times that the points may change; a negative number traps.
  ///   - uploadLimit: The greatest number of uploads that may succeed; a negative number traps.
  ///   - forbiddenNames: The names that are not permitted.
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
