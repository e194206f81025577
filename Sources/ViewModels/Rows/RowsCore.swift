/// Rows that somebody else owns and edits, such as a core in another language, and that a `RowsViewModel`
/// shows.
///
/// A core makes its edits under a lock of its own, and posts each to its `RowsInbox` before it releases that
/// lock. So the order of the posts is that of the edits.
package protocol RowsCore: AnyObject, Sendable {
  /// Gives the core the inbox that its edits are posted to; called once, before anything else.
  ///
  /// - Returns: Whether the core takes it; otherwise there is no model.
  @MainActor func activate(_ inbox: RowsInbox) -> Bool

  /// Begins a generation, when no worker runs; other threads may make edits.
  ///
  /// - Parameters:
  ///   - generation: Its number, which edits from now on are posted with.
  ///   - firstID: The identity of the first row; each other row's is greater by one.
  ///   - texts: The texts of the rows.
  /// - Returns: Whether the core has these rows now.
  @MainActor func begin(generation: Int, firstID: UInt64, texts: [String]) -> Bool

  /// Starts workers that edit the rows.
  @MainActor func start(workers count: Int, speed: Double, seed: UInt64)

  /// Stops the workers and joins them.
  @MainActor func stop()

  /// Makes an edit, on any thread.
  ///
  /// - Returns: Whether there was such a row.
  func apply(_ command: RowCommand) -> Bool

  /// Reads all rows and calls `body` with them inside the critical section in which edits are made and
  /// posted.
  ///
  /// - Parameter body: Returns whether the rows have the generation and the number of the last edit posted.
  /// - Returns: Whether `body` was called, once.
  @MainActor func read(_ body: (CoreRows) -> Bool) -> Bool

  /// How many workers run.
  var running: Int { get }
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
