internal import AtomicProperties
internal import Observers
internal import Protectors
public import Snapshots

/// A list of rows for a table on the main actor; any thread may edit the rows.
///
/// ```swift
/// let model = RowsViewModel()
/// model.observer = table              // held weakly; see RowsObserver
/// model.restart(workers: 8)           // eight threads edit from now on
/// model.restart(workers: 64)          // they are joined; 64 others begin with new rows
/// await model.stop()
/// ```
///
/// An edit and the posting of its notification are one step, so an observer gets each change in the order of
/// the edits, with the rows as that edit left them (see `TableRule`).
///
/// - **Generations**: a restart begins a *generation* with new rows. Changes that were not delivered are
///   dropped, so no callback has rows of an earlier generation.
/// - **Backlog**: at most `RowsConfiguration.backlogLimit` edits wait for the main actor. A further edit is
///   refused, or its thread or task waits for room.
/// - **Threads**: any thread may edit, and read `publishedRows`. The rest is for the main actor. No callback
///   runs under a lock.
/// - **End**: the workers of a deallocated model are woken, and end after their current edit.
@MainActor
public final class RowsViewModel {
  /// The observer, held weakly; it gets what is delivered while it lives.
  public weak var observer: (any RowsObserver)?
  /// The rows of the last callback.
  public var rows: RowTree<Row> { list.rows }
  /// The number of the current generation; 1 before the first restart.
  public private(set) var generation = 1

  private let configuration: RowsConfiguration
  private var list: RowList
  private var workers: RowWorkers?
  /// The number of running workers, of those that `stop()` stopped last.
  private var stopping: ExclusiveProtector<Int>?
  private nonisolated let current: AtomicProperty<RowsGeneration?>
  private nonisolated let keyedObservers = KeyedObservers<@MainActor @Sendable (RowTree<Row>) -> Void>()

  /// Creates a model without workers.
  ///
  /// - Parameter configuration: The configuration. Its properties say which values trap.
  public init(_ configuration: RowsConfiguration = RowsConfiguration()) {
    if !(configuration.speed > 0) {
      misuse("RowsViewModel", "a speed of \(configuration.speed)", "pass a positive one, or infinity")
    }
    if configuration.backlogLimit < 1 {
      misuse("RowsViewModel", "a backlog of \(configuration.backlogLimit) edits", "pass at least 1")
    }
    self.configuration = configuration
    list = RowList(generation: 1, texts: configuration.initialRows)
    current = AtomicProperty(nil, label: "generation")
    current.value = makeGeneration()
  }

  deinit {
    current.value?.delivery.finish()
  }

  private func makeGeneration() -> RowsGeneration {
    RowsGeneration(list, configuration) { [weak self] message in self?.receive(message) }
  }

  // MARK: Workers

  /// Begins a generation with the initial rows, and starts its workers.
  ///
  /// First joins the current workers: this call wakes those that sleep or wait for room, and blocks until all
  /// have ended their current edits. The observer is notified before this function returns. A callback may
  /// call it.
  ///
  /// - Parameter count: The number of worker threads; a negative number traps.
  public func restart(workers count: Int) {
    current.value?.delivery.finish()
    workers.take()?.join()
    // Those that `stop()` is still waiting for.
    stopping?.withLock(waitingUntil: { $0 == 0 }) { _ in }
    generation += 1
    list = RowList(generation: generation, texts: configuration.initialRows)
    current.value = makeGeneration()
    start(workers: count)
    observer?.rowsRestarted(rows, generation: generation)
    notifyKeyedObservers()
  }

  /// Starts workers that edit the current rows; traps while others run.
  ///
  /// - Parameter count: The number of worker threads; a negative number traps.
  public func start(workers count: Int) {
    if count < 0 { misuse("RowsViewModel", "started with \(count) workers", "pass 0 or more") }
    if workerCount > 0 || stopping?.value ?? 0 > 0 {
      misuse("RowsViewModel", "started while its workers run", "stop them first, or restart")
    }
    workers = RowWorkers(count, editing: current.value!, configuration)
  }

  /// Stops the workers, and returns when their threads have ended and their edits are delivered.
  ///
  /// Wakes workers that sleep. The rows stay as they are, and `start(workers:)` continues with them.
  public func stop() async {
    if let workers = workers.take() {
      stopping = workers.running
      await workers.stop()
    } else if let stopping {
      // Another call is stopping them, or has done so.
      await RowWorkers.waitUntilNoneRuns(stopping)
    }
    deliverPending()
  }

  /// The number of running workers.
  public var workerCount: Int { workers?.count ?? 0 }

  // MARK: Rows

  /// The rows after the last edit, for readers on any thread; `nil` with the strategy `mainActor`.
  ///
  /// Reading never blocks. Each generation has an object of its own. The rows may contain edits of which the
  /// observer has not been notified, so a callback must draw the rows that it gets, and not these.
  public nonisolated var publishedRows: Snapshot<RowTree<Row>>? { current.value?.editor.published }

  /// Makes an edit; refuses it if the backlog is full.
  ///
  /// Can be called on any thread, and in a callback.
  ///
  /// - Parameter edit: The edit.
  /// - Returns: Whether the edit was made, or why not.
  /// - Complexity: O(log *n*).
  @discardableResult
  public nonisolated func apply(_ edit: RowEdit) -> RowEditResult {
    current.value?.apply(edit) ?? .ended
  }

  /// Makes an edit, and blocks the thread while the backlog is full.
  ///
  /// Traps if it would have to wait on the main thread, which makes the room.
  ///
  /// - Parameter edit: The edit.
  /// - Returns: Whether the edit was made, or why not; never `noRoom`.
  @discardableResult
  @available(*, noasync, message: "it blocks the thread; write 'await model.applyWaiting(edit)'")
  public nonisolated func applyWaiting(_ edit: RowEdit) -> RowEditResult {
    current.value?.applyWaiting(edit) ?? .ended
  }

  /// Makes an edit, and suspends the task while the backlog is full.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - isolation: The caller's isolation.
  /// - Returns: Whether the edit was made, or why not; `noRoom` if the task was cancelled.
  @discardableResult
  public func applyWaiting(_ edit: RowEdit, isolation: isolated (any Actor)? = #isolation) async
    -> RowEditResult
  {
    await current.value?.applyWaiting(edit) ?? .ended
  }

  // MARK: Delivery

  /// Delivers what waits now, without waiting for the scheduled delivery; does nothing in a callback.
  public func deliverPending() {
    current.value?.delivery.deliverNow()
  }

  /// Calls `body` with the rows after each callback of the observer, as long as the object `key` exists.
  ///
  /// - Parameters:
  ///   - key: The object that observes. It is not kept alive. A further call with it replaces the closure.
  ///   - body: Called on the main actor. It must capture the key weakly.
  public func observe(
    whileAlive key: some AnyObject & Sendable, _ body: @escaping @MainActor @Sendable (RowTree<Row>) -> Void
  ) {
    keyedObservers.set(body, for: key)
  }

  private func receive(_ message: RowMessage) {
    let change: RowNotification
    switch message {
    case .edit(let edit):
      guard let made = list.make(edit) else { return }
      change = made
    case .change(let made):
      list.follow(made)
      change = made
    }
    switch change.change {
    case .inserted: observer?.rowInserted(change)
    case .removed: observer?.rowRemoved(change)
    case .modified: observer?.rowModified(change)
    }
    notifyKeyedObservers()
  }

  private func notifyKeyedObservers() {
    // Read again for each, because the previous one may have started the list again.
    keyedObservers.forEach { _, show in show(rows) }
  }
}
