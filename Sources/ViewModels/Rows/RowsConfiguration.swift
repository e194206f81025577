/// The configuration of a `RowsViewModel`, fixed when the model is created.
public struct RowsConfiguration: Sendable {
  /// How edits get to the main actor.
  public var strategy = RowsStrategy.snapshots
  /// The texts of the rows with which each generation begins (see `RowsViewModel`).
  public var initialRows: [String] = []
  /// The maximum number of edits that wait for the main actor; less than 1 traps when the model is created.
  public var backlogLimit = 1_024
  /// The speed of the workers; a speed that is not positive traps when the model is created.
  ///
  /// Between two edits, a worker sleeps for 1 to 4 seconds divided by this number. With infinity it does not
  /// sleep.
  public var speed = 1.0
  /// Lets a worker sleep for a time, or until the flag is set.
  public var sleep: @Sendable (Duration, StopFlag) -> Void = { $1.waitUntilSet(timeout: $0) }
  /// Creates the random number generator of a worker, given the worker's number.
  public var makeRandom: @Sendable (_ worker: Int) -> any RandomNumberGenerator = { _ in
    SystemRandomNumberGenerator()
  }

  /// Creates a configuration with the strategy `snapshots`, no rows and the speed 1.
  public init() {}
}
