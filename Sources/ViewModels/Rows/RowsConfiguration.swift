/// How a `RowsViewModel` works; fixed when it is made.
public struct RowsConfiguration: Sendable {
  /// How edits come to the main actor.
  public var strategy = RowsStrategy.tree
  /// How fast the workers are: they sleep 1 to 4 seconds divided by this.
  ///
  /// Infinity is without sleep.
  public var speed = 1.0
  /// What the random choices of all workers come from.
  public var seed = UInt64.random(in: 0...UInt64.max)
  /// The texts of the rows that each generation begins with.
  public var initialRows: [String] = []
  /// How much memory notifications may take while they wait for the main actor, in bytes.
  ///
  /// Where it would be more, the edits after these are delivered as one composed batch, which takes none.
  public var backlogBytes = 16 << 20
  /// How many commands may wait for the main actor with the strategy `mainActor`; threads that send more
  /// wait.
  public var commandLimit = 1_024
  /// What the workers sleep by.
  public var clock: any RowsClock = MonotonicRowsClock()
  /// Makes the random numbers of a worker, from the seed and a number that no other worker of any generation
  /// has.
  public var makeRandom: @Sendable (_ seed: UInt64, _ stream: Int) -> any RandomNumberGenerator & Sendable = {
    SeededRandom(seed: $0, stream: $1)
  }
  /// Whether snapshots that are alive are counted, and a mirror is kept that checks each notification.
  public var audits = false
  /// Whether it is measured how long each edit holds the lock.
  public var measuresLockHolds = false

  /// What the model does wrong, to prove that it is wrong.
  package var fault = RowsFault.none
  /// Called by each edit after it has released the lock: the place where one that tells of it only then can
  /// be overtaken.
  package var afterUnlock: (@Sendable (_ sequence: UInt64) -> Void)?

  /// Makes a configuration with the strategy `tree`, no rows and the speed 1.
  public init() {}
}

/// Two ways to tell of an edit that are wrong.
package enum RowsFault: String, Sendable, CaseIterable {
  /// The right way.
  case none
  /// The notification is enqueued when the lock has been released: another edit's may come before it.
  case unlockFirst
  /// The notification has no snapshot; the rows are read when it arrives: they may have been edited since.
  case pull
}
