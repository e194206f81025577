/// The owner of rows that a `RowsViewModel` shows: a *core*, such as code in another language.
///
/// A core makes its edits under a lock of its own. It posts each edit to its `RowsInbox` before it releases
/// that lock, so edits are posted in the order in which they are made.
package protocol RowsCore: AnyObject, Sendable {
  /// Passes this core the inbox to which it must post its edits, then begins the first generation.
  ///
  /// Must be called once, before all other functions. If another thread ends the core during this call, the
  /// core must delay its end until the call is over.
  ///
  /// - Parameters:
  ///   - inbox: Receives the edits of the core.
  ///   - begin: Begins the first generation: calls `begin(generation:firstID:texts:)` of this core, and
  ///     returns its result. A core that accepts the inbox must call this closure once.
  /// - Returns: Whether the core accepts the inbox and has begun the generation. If not, no model is made.
  @MainActor func activate(_ inbox: RowsInbox, beginning begin: () -> Bool) -> Bool

  /// Begins a generation (see `RowsViewModel`): the core replaces all of its rows by new ones.
  ///
  /// No worker runs during this call, but other threads may call `apply(_:)`.
  ///
  /// - Parameters:
  ///   - generation: The number of the new generation. The core posts its edits with this number from now on.
  ///   - firstID: The identity of the first row. The identities of the other rows follow it without a gap.
  ///   - texts: The texts of the new rows, in order.
  /// - Returns: Whether the core has replaced its rows.
  @MainActor func begin(generation: Int, firstID: UInt64, texts: [String]) -> Bool

  /// Starts `count` workers that edit the rows; `count` may be 0.
  ///
  /// `speed` and `seed` are the properties of that name of the model's `RowsConfiguration`.
  @MainActor func start(workers count: Int, speed: Double, seed: UInt64)

  /// Stops the workers and joins them.
  @MainActor func stop()

  /// Makes an edit; can be called on any thread.
  ///
  /// - Returns: Whether the edit was made; `false`, for example, if the command's position does not exist.
  func apply(_ command: RowCommand) -> Bool

  /// Calls `body` with all rows, inside the critical section in which the core makes and posts its edits.
  ///
  /// - Parameter body: Called at most once. Returns whether the rows are up to date: their `generation` and
  ///   `sequence` equal those of the inbox.
  /// - Returns: Whether `body` was called.
  @MainActor func read(_ body: (CoreRows) -> Bool) -> Bool

  /// The number of running workers.
  var running: Int { get }

  /// Whether this core has ended, and so reports no rows any more.
  ///
  /// The core must close its inbox after this has become true.
  var hasEnded: Bool { get }
}

/// The rows of a core at one moment.
package struct CoreRows: Sendable {
  package var rows: [Row]
  package var generation: Int
  /// The number of the last edit that the rows include.
  package var sequence: UInt64

  package init(rows: [Row], generation: Int, sequence: UInt64) {
    self.rows = rows
    self.generation = generation
    self.sequence = sequence
  }
}
