internal import AtomicProperties
internal import Protectors
internal import RowTrees
public import Snapshots

/// A list of rows for a table on the main actor; any thread may edit the rows.
///
/// ```swift
/// let model = RowsViewModel()
/// model.observer = table              // held weakly; see RowsObserver
/// model.restart(workers: 8)           // eight threads edit from now on
/// model.restart(workers: 64)          // they are joined; 64 others begin with new rows
/// model.stop()
/// ```
///
/// Making an edit, numbering it and enqueuing its notification are one atomic step. Notifications wait in a
/// mailbox. The first of them schedules a *drain* on the main actor, which delivers all waiting
/// notifications. So callbacks are in the order of the edits, each with the rows as its edit left them. The
/// **table rule** holds at each callback: the rows before, plus the inserted row and minus the removed one,
/// are the rows after.
///
/// - **Generations**: `restart(workers:)` joins the current workers and begins a *generation* with new rows.
///   Notifications that were not delivered are dropped, so no callback has rows of an earlier generation.
/// - **Backlog**: notifications wait while the main actor is busy. They take at most
///   `RowsConfiguration.backlogBytes` plus the memory of one snapshot. The model assumes for each
///   notification the maximum memory that its snapshot can keep alive: a path of the tree, or all rows with
///   the strategy `array`. Edits beyond this limit are only counted. Later, the drain compares the rows
///   before and after these edits, and delivers the difference. The notifications of this difference cover
///   the numbers of all these edits and obey the table rule.
/// - **Commands**: with the strategy `mainActor`, other threads send their edits to the main actor as
///   commands. At most `RowsConfiguration.commandLimit` commands wait. A thread that sends a further command
///   sleeps until there is room.
/// - **Threads**: any thread may call `apply(_:)` and `move(_:to:at:)`, read `canMoveRows`, and read the rows
///   in the object `publishedRows`. The other members are for the main actor. No callback runs under a lock.
/// - **End**: when the model is deallocated, its workers are joined, which takes as long as their current
///   edits. The exception is a model whose last reference is released on a worker thread, of this or another
///   model, by your clock or random number generator. Its workers end after their current edits, and are not
///   joined.
@MainActor
public final class RowsViewModel {
  private let configuration: RowsConfiguration
  private nonisolated let engine: any RowsEngine
  private let delivery: RowsDelivery
  /// The core (see `RowsCore`) that owns the rows and runs the workers; `nil` if this model owns the rows.
  private nonisolated let core: (any RowsCore)?
  private let running = AtomicProperty(0)
  private nonisolated let crew = ExclusiveProtector(Crew())

  /// The workers of the current generation, and whether new ones may be started.
  private struct Crew: ~Copyable, Sendable {
    var workers: RowWorkers?
    /// Whether the model has ended, so that no workers may be started.
    var hasEnded = false
  }

  /// Makes a model without workers, and begins its first generation (see `RowsViewModel`).
  ///
  /// - Parameter configuration: The configuration. A speed that is not positive traps, and so do negative
  ///   `backlogBytes` and a `commandLimit` less than 1.
  public convenience init(_ configuration: RowsConfiguration = RowsConfiguration()) {
    self.init(configuration, wrapping: { $0 })
  }

  /// Makes a model whose engine is wrapped in another one, for tests with engines that are wrong on purpose.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - wrap: Returns the engine to use, given a correct one. Not called with the strategy `mainActor`.
  package init(
    _ configuration: RowsConfiguration, wrapping wrap: (any TwoStepRowsEngine) -> any RowsEngine
  ) {
    Self.check(configuration)
    self.configuration = configuration
    core = nil
    delivery = RowsDelivery(configuration)
    engine =
      switch configuration.strategy {
      case .array: wrap(configuration.lock.engine(of: [Row].self, configuration, delivery: delivery))
      case .tree, .delta:
        wrap(configuration.lock.engine(of: RowTree<Row>.self, configuration, delivery: delivery))
      case .mainActor: MainActorRowsEngine(configuration, delivery: delivery)
      }
    delivery.begin(engine.begin(configuration.initialRows))
  }

  /// Makes a model that shows the rows of a core (see `RowsCore`), without workers.
  ///
  /// Returns `nil` if `RowsCore.activate(_:beginning:)` returns `false`.
  ///
  /// - Parameters:
  ///   - configuration: The configuration. Values that trap in `init(_:)` trap here too. `strategy`, `lock`,
  ///     `commandLimit`, `clock`, `makeRandom` and `measuresLockHolds` have no other effect.
  ///   - core: The owner of the rows. It must not belong to another model.
  package init?(_ configuration: RowsConfiguration, owner core: any RowsCore) {
    var configuration = configuration
    configuration.strategy = .delta
    Self.check(configuration)
    self.configuration = configuration
    self.core = core
    delivery = RowsDelivery(configuration)
    let engine = CoreRowsEngine(core, byteLimit: configuration.backlogBytes, delivery: delivery)
    self.engine = engine
    guard let beginning = engine.activate(configuration.initialRows) else { return nil }
    delivery.begin(beginning)
  }

  private static func check(_ configuration: RowsConfiguration) {
    if !(configuration.speed > 0) {
      misuse("RowsViewModel", "a speed of \(configuration.speed)", "pass a positive one, or infinity")
    }
    if configuration.backlogBytes < 0 || configuration.commandLimit < 1 {
      misuse("RowsViewModel", "a limit that nothing fits in", "pass at least 0 bytes and 1 command")
    }
  }

  // MARK: Workers

  /// Begins a generation (see `RowsViewModel`): puts back the initial rows and starts new workers.
  ///
  /// The current workers are joined first: this call wakes those that sleep, and blocks until all have ended
  /// their current edits. Notifications that were not delivered are dropped. The observer is notified before
  /// this function returns. A callback may call this function.
  ///
  /// - Parameter count: The number of worker threads; a negative number traps.
  public func restart(workers count: Int) {
    if count < 0 { misuse("RowsViewModel", "restarted with \(count) workers", "pass 0 or more") }
    stop()
    let beginning = engine.begin(configuration.initialRows)
    // The workers are started before the first callback, because a callback may start the model again.
    if let core {
      core.start(workers: count, speed: configuration.speed, seed: configuration.seed)
    } else {
      let workers = RowWorkers(
        count, generation: beginning.generation, engine: engine, configuration: configuration,
        running: running)
      replaceWorkers(by: workers)
    }
    delivery.begin(beginning)
  }

  /// Stops all workers and joins them.
  ///
  /// Blocks until all have ended their current edits. The rows stay as they are, and waiting notifications
  /// are still delivered.
  public func stop() {
    replaceWorkers(by: nil)
    core?.stop()
  }

  /// Replaces the workers by new ones, or by none, then stops and joins the old ones.
  ///
  /// If the model has ended, stops and joins the new ones instead.
  private nonisolated func replaceWorkers(by workers: consuming RowWorkers?) {
    // Workers are joined after the unlock.
    var workers = workers
    _ = crew.withLock(when: { !$0.hasEnded }) { swap(&$0.workers, &workers) }
  }

  /// Ends the model before its deallocation; can be called on any thread.
  ///
  /// Stops and joins the model's own workers, and wakes callers of `apply(_:)` that wait to make an edit.
  /// Afterwards, the model starts no workers of its own, and no caller of `apply(_:)` waits.
  package nonisolated func end() {
    var workers: RowWorkers?
    crew.withLock { crew in
      crew.hasEnded = true
      swap(&crew.workers, &workers)
    }
    engine.close()
  }

  // MARK: Rows

  /// The rows of the last callback, as a table shows them.
  public var rows: RowsSnapshot { delivery.shown }

  /// The rows after the last complete delivery, for readers on any thread; a reader must keep this object.
  ///
  /// Reading the rows never blocks, and delays neither edits nor deliveries. All changes of a delivery are
  /// published together, after their callbacks. Replaced rows stay in memory for about 20 milliseconds, and
  /// for as long as they are read (see `Snapshot`).
  ///
  /// Rows are published only while a reader keeps the object. Each delivery then copies the tree nodes that
  /// it changes. If no reader keeps the object yet, reading this property in a callback makes one with the
  /// rows of that callback.
  ///
  /// - Complexity: O(1).
  public var publishedRows: Snapshot<RowsSnapshot> { delivery.publishedRows }

  /// The rows after the last edit; reading them can block while another thread edits.
  ///
  /// They may contain edits of which the observer has not been notified yet. So don't draw these rows in a
  /// callback; draw the rows that the callback gets.
  public var latestRows: RowsSnapshot { engine.latest }

  /// Makes an edit of the current rows, on any thread.
  ///
  /// Blocks while other threads hold the lock. With the strategy `mainActor` it also blocks while
  /// `RowsConfiguration.commandLimit` commands wait for the main actor, except on the main actor itself.
  ///
  /// - Parameter command: The edit.
  /// - Returns: Whether the edit was made; `false` if the command's position does not exist. With the
  ///   strategy `mainActor`, calls on threads other than the main thread return `true`, because the command
  ///   is executed later.
  /// - Complexity: O(log *n*); O(*n*) with the strategy `array`.
  @discardableResult
  public nonisolated func apply(_ command: RowCommand) -> Bool {
    engine.apply(command, generation: nil)
  }

  /// Whether rows can be moved to and from this list: its rows are a tree behind a `biased` lock.
  public nonisolated var canMoveRows: Bool { engine is LockedRowsEngine<RowTree<Row>> }

  /// Moves a row to another list in one atomic step; can be called on any thread.
  ///
  /// This list announces a removal, and the other list an insertion. Either both edits are made or neither
  /// is, and no other edit of either list comes between them. The row gets a new identity in the other list.
  /// Threads may move rows in both directions at the same time.
  ///
  /// Blocks while other threads hold a lock of either list.
  ///
  /// - Parameters:
  ///   - position: The row.
  ///   - other: The other list.
  ///   - place: Where to insert the row.
  /// - Returns: Whether the row was moved. It is `false` if one of the positions does not exist, if `other`
  ///   is this list, or if `canMoveRows` is false for one of the lists.
  /// - Complexity: O(log *n*).
  @discardableResult
  public nonisolated func move(
    _ position: RowPosition, to other: RowsViewModel, at place: RowPosition
  ) -> Bool {
    guard let source = engine as? LockedRowsEngine<RowTree<Row>>,
      let target = other.engine as? LockedRowsEngine<RowTree<Row>>
    else { return false }
    return source.move(position, to: target, at: place)
  }

  // MARK: Observers

  /// The observer, held weakly.
  ///
  /// A waiting notification goes to the object that is the observer when the notification is delivered.
  public var observer: (any RowsObserver)? {
    get { delivery.observer }
    set { delivery.observer = newValue }
  }

  /// Calls `body` with the shown rows after each delivered change or batch, and after each restart, as long
  /// as the object `key` exists.
  ///
  /// The observer of the model is notified first.
  ///
  /// - Parameters:
  ///   - key: The object that observes. It is not kept alive. Another call with the same object replaces the
  ///     closure.
  ///   - body: Called on the main actor. If it captures the key strongly, the key stays alive.
  public func observe(
    whileAlive key: some AnyObject & Sendable,
    _ body: @escaping @MainActor @Sendable (RowsSnapshot) -> Void
  ) {
    delivery.keyedObservers.set(body, for: key)
  }

  /// Removes the closure that was passed to `observe(whileAlive:_:)` with this object.
  ///
  /// - Parameter key: The object. Nothing happens if it has no closure.
  public func endObservation(by key: some AnyObject & Sendable) {
    delivery.keyedObservers.remove(key)
  }

  /// Delivers all waiting notifications before it returns; does not wait for the scheduled drain.
  ///
  /// A call in a callback, during a delivery, returns immediately. The waiting notifications are then
  /// delivered after those of the running delivery.
  public func deliverPending() {
    engine.drain()
  }

  // MARK: Audit

  /// The current values of the model's counters.
  ///
  /// - Complexity: O(*k*) for *k* observers.
  public var statistics: RowsStatistics {
    let account = engine.account
    return RowsStatistics(
      strategy: configuration.strategy, generation: delivery.generation, posted: account.posted,
      postedInGeneration: account.postedInGeneration, delivered: delivery.delivered,
      unobserved: delivery.unobserved, droppedByGeneration: delivery.droppedByGeneration,
      queued: account.queued + account.commands, queuedCommands: account.commands,
      mostQueued: account.mostQueued,
      drains: delivery.drains, mostPerDrain: delivery.mostPerDrain,
      composedBatches: delivery.composedBatches, violations: delivery.mirror?.violations,
      sequenceGaps: delivery.mirror?.sequenceGaps,
      liveSnapshots: configuration.audits ? delivery.lives.value : nil,
      liveObservers: delivery.keyedObservers.liveCount + (delivery.observer == nil ? 0 : 1),
      liveThreads: core?.running ?? running.value, lockHolds: account.lockHolds)
  }

  /// Checks whether the counters and the rows are consistent.
  ///
  /// Stop the workers and deliver waiting notifications first. Otherwise an edit during the check can appear
  /// as an inconsistency.
  ///
  /// - Complexity: O(*n*) in the length of all texts.
  public func audit() -> RowsAudit {
    // The two statements are not atomic. An edit between them is in the rows, but not in the statistics.
    let statistics = statistics
    let (count, fingerprint) = withLatest { ($0.count, $0.fingerprint) }
    return RowsAudit(
      statistics: statistics, initialRows: configuration.initialRows.count, rows: count,
      fingerprint: fingerprint, mirrorFingerprint: delivery.mirror?.fingerprint)
  }

  /// Calls `body` with a snapshot of the latest rows, and returns its result.
  ///
  /// The snapshot is released before this function returns, so it keeps no memory alive afterwards.
  private func withLatest<R>(_ body: (RowsSnapshot) -> R) -> R { body(engine.latest) }
}
