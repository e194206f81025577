internal import RowTrees
internal import AtomicProperties
internal import Protectors
internal import ReadWriteLocks

/// The engine of the strategies `array`, `tree` and `delta` (see `RowsStrategy`): the rows are behind a lock.
///
/// One critical section makes an edit, numbers it and puts its notification into the mailbox. So the
/// notifications are in the order of the edits, and a snapshot in a notification has the rows right after the
/// edit. The caller makes the command, with its text and random numbers, before the critical section. Removed
/// values are released, and the main actor is woken, after the critical section.
///
/// The functions that run for each edit have the attribute `@_specialize`, which adds a version that is
/// compiled for `RowTree`. Without it, calls through `any RowsEngine` would run generic code, which looks
/// types up at run time.
///
/// The default lock is that of a `Protector`, which admits several readers, because
/// `RowsViewModel.latestRows` and `RowsViewModel.statistics` acquire it only for reading.
final class RowsBehindLock<Rows: GuardedRows>: LockedEngine, TwoStepRowsEngine {
  typealias Store = Rows.Store

  private let state: Rows
  private let configuration: RowsConfiguration
  private let delivery: RowsDelivery
  /// Schedules a drain: a call that takes the waiting edits and passes them to the observer.
  ///
  /// If `wake` is `nil`, the engine itself schedules the drain, on the main actor.
  private let wake: (@Sendable () -> Void)?
  private let scheduledDrain = ScheduledDrain()

  init<S, Lock: ~Copyable>(
    _ configuration: RowsConfiguration, lock: consuming Lock, delivery: RowsDelivery,
    wake: (@Sendable () -> Void)? = nil
  ) where Rows == LockedRows<S, Lock> {
    self.configuration = configuration
    self.delivery = delivery
    self.wake = wake
    state = LockedRows(
      protector: LockProtector(RowsWithMailbox(configuration, lives: delivery.lives), lock: lock))
  }

  // MARK: Editing

  @_specialize(where Rows == LockedRows<RowTree<Row>, BiasedReadWriteLock>)
  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    let outcome = section { rows -> Outcome? in
      guard rows.admits(generation), let edit = rows.edit(command) else { return nil }
      return Outcome(wakes: rows.post(edit, command), edit: edit)
    }
    guard let outcome else { return false }
    configuration.afterUnlock?(outcome.edit.sequence)
    if outcome.wakes { scheduleDrain() }
    return true
  }

  func edit(_ command: RowCommand, generation: Int?) -> UnpostedEdit? {
    section { rows in
      guard rows.admits(generation), let edit = rows.edit(command) else { return nil }
      return UnpostedEdit(edit: edit, content: rows.content(of: edit, command))
    }
  }

  func post(_ edit: UnpostedEdit) {
    if section({ $0.post(edit.edit, content: edit.content) }) { scheduleDrain() }
  }

  /// The work that remains to be done for an edit after the unlock.
  ///
  /// It holds the edit, so that a removed row is released after the unlock.
  private struct Outcome: Sendable {
    let wakes: Bool
    let edit: AppliedEdit
  }

  /// Schedules a drain: a call that takes all waiting edits and passes them to the observer.
  ///
  /// Must be called after the unlock, when the mailbox has reported that an edit needs a drain.
  func scheduleDrain() {
    if let wake {
      wake()
    } else {
      scheduledDrain.schedule { [weak self] in self?.drain() }
    }
  }

  func dismissWorkers() {
    section { $0.admitsWorkers = false }
  }

  /// Runs `body` in a write section, and returns its result; measures the hold time if the configuration asks
  /// for it.
  func section<R: Sendable>(_ body: (inout RowsWithMailbox<Store>) -> R) -> R {
    state.withWriteLock { rows in
      guard rows.holds != nil else { return body(&rows) }
      let start = ContinuousClock.now
      defer { rows.holds?.record(Int((ContinuousClock.now - start) / .nanoseconds(1))) }
      return body(&rows)
    }
  }

  // MARK: Delivering

  /// Takes all waiting edits from the mailbox.
  ///
  /// - Parameter spare: An empty array, whose capacity is reused for later edits.
  @_specialize(where Rows == LockedRows<RowTree<Row>, BiasedReadWriteLock>)
  func takeBurst(into spare: [PostedEdit]) -> RowsBurst {
    section { $0.takeBurst(into: spare) }
  }

  func drain() {
    delivery.deliver { takeBurst(into: $0) }
  }

  nonisolated func begin(_ texts: [String]) -> RowsBeginning {
    let firstID = section { $0.takeIDs(texts.count) }
    // The new rows are made before the critical section, and the old rows are released after it.
    var store = Store(texts.enumerated().map { Row(id: firstID + UInt64($0.offset), text: $0.element) })
    var dropped: RowsBurst?
    return section { rows in
      swap(&rows.store, &store)
      dropped = rows.takeBurst()
      return rows.begin(dropping: dropped?.count ?? 0)
    }
  }

  nonisolated var latest: RowsSnapshot { state.withReadLock { $0.snapshot } }

  var account: RowsAccount { state.withReadLock { $0.account } }
}

/// The rows of a list, and the lock that guards them.
///
/// This protocol hides the type of the lock. On older Apple systems, a class that is generic over a
/// noncopyable type, such as a lock, can't be converted to `any RowsEngine`.
protocol GuardedRows: Sendable {
  associatedtype Store: RowStore

  func withWriteLock<R: Sendable>(_ body: (inout RowsWithMailbox<Store>) -> R) -> R
  func withReadLock<R: Sendable>(_ body: (RowsWithMailbox<Store>) -> R) -> R
}

struct LockedRows<Store: RowStore, Lock: ReadWriteLock & ~Copyable>: GuardedRows {
  let protector: LockProtector<RowsWithMailbox<Store>, Lock>

  func withWriteLock<R: Sendable>(_ body: (inout RowsWithMailbox<Store>) -> R) -> R {
    protector.withWriteLock { body(&$0) }
  }

  func withReadLock<R: Sendable>(_ body: (RowsWithMailbox<Store>) -> R) -> R {
    protector.withReadLock { body($0) }
  }
}

/// The engine with the default lock: that of a `Protector`.
typealias LockedRowsEngine<Store: RowStore> = RowsBehindLock<LockedRows<Store, BiasedReadWriteLock>>

extension RowsBehindLock {
  convenience init<S>(
    _ configuration: RowsConfiguration, delivery: RowsDelivery, wake: (@Sendable () -> Void)? = nil
  ) where Rows == LockedRows<S, BiasedReadWriteLock> {
    self.init(configuration, lock: BiasedReadWriteLock(), delivery: delivery, wake: wake)
  }

  /// Moves a row to another list in one step.
  ///
  /// Both edits are made and posted while both locks are held. `withWriteLocks` acquires the locks without a
  /// deadlock, even while another thread moves a row in the opposite direction.
  ///
  /// - Returns: Whether the row was moved: `false` if one of the positions does not exist, or if `other` is
  ///   this engine.
  func move<S>(_ position: RowPosition, to other: RowsBehindLock, at place: RowPosition) -> Bool
  where Rows == LockedRows<S, BiasedReadWriteLock> {
    if other === self { return false }
    let outcomes = withWriteLocks(state.protector, other.state.protector) {
      source, target -> (Outcome, Outcome)? in
      guard let index = position.index(below: source.store.count),
        place.index(below: target.store.count + 1) != nil
      else { return nil }
      let (removal, insertion) = (
        RowCommand.remove(.index(index)), RowCommand.insert(source.store[index].text, place)
      )
      guard let removed = source.edit(removal), let inserted = target.edit(insertion) else { return nil }
      return (
        Outcome(wakes: source.post(removed, removal), edit: removed),
        Outcome(wakes: target.post(inserted, insertion), edit: inserted)
      )
    }
    guard let outcomes else { return false }
    if outcomes.0.wakes { scheduleDrain() }
    if outcomes.1.wakes { other.scheduleDrain() }
    return true
  }
}
