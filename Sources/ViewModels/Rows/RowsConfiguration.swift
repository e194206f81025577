/// The configuration of a `RowsViewModel`, fixed when the model is made.
public struct RowsConfiguration: Sendable {
  /// How edits get to the main actor.
  public var strategy = RowsStrategy.tree
  /// The lock that guards the rows.
  ///
  /// Only the strategies `array`, `tree` and `delta` use it.
  public var lock = RowsLock.biased
  /// The speed of the workers; a speed that is not positive traps when the model is made.
  ///
  /// Between two edits, a worker sleeps for 1 to 4 seconds divided by this number. With infinity it does not
  /// sleep.
  public var speed = 1.0
  /// The seed of all workers' random numbers; random by default.
  public var seed = UInt64.random(in: 0...UInt64.max)
  /// The texts of the rows that the model has when it is made, and again after each
  /// `RowsViewModel.restart(workers:)`.
  public var initialRows: [String] = []
  /// The maximum memory of the notifications that wait for the main actor, in bytes.
  ///
  /// Edits beyond this limit are only counted, which takes no memory. The model delivers their combined
  /// effect later. A negative limit traps when the model is made.
  public var backlogBytes = 16 << 20
  /// The maximum number of commands that wait for the main actor with the strategy `mainActor`.
  ///
  /// A thread that sends a further command waits until there is room for it. A limit less than 1 traps when
  /// the model is made.
  public var commandLimit = 1_024
  /// The clock by which the workers sleep.
  public var clock: any RowsClock = MonotonicRowsClock()
  /// Makes a worker's random number generator.
  ///
  /// All workers get the same `seed`. Each worker of a model gets another `stream`, even after a restart.
  public var makeRandom: @Sendable (_ seed: UInt64, _ stream: Int) -> any RandomNumberGenerator & Sendable = {
    SeededRandom(seed: $0, stream: $1)
  }
  /// Whether to count live snapshots, and to check each notification against a copy of the rows (see
  /// `RowsMirror`).
  public var audits = false
  /// Whether to measure how long each edit holds the lock (see `RowsStatistics.lockHolds`).
  public var measuresLockHolds = false

  /// Called after each edit, when the lock has been released, with the number of the edit.
  ///
  /// A test sets this closure, for example to make another edit at that moment.
  package var afterUnlock: (@Sendable (_ sequence: UInt64) -> Void)?

  /// Makes a configuration with the strategy `tree`, no rows and the speed 1.
  public init() {}
}
