internal import RowTrees
internal import AtomicProperties
internal import Dispatch
internal import Protectors

/// The engine of the strategy `mainActor` (see `RowsStrategy`): only the main actor uses the rows, without a
/// lock.
///
/// Other threads put commands into a bounded queue, and wait while it is full. The main actor executes these
/// commands in order, before it makes an edit of its own and before each delivery. Notifications wait in a
/// `RowsMailbox`, as with the other strategies.
final class MainActorRowsEngine: RowsEngine {
  private struct Queue: Sendable {
    var commands: [RowCommand] = []
    var generation = 0
    var admitsWorkers = true
    var isScheduled = false
    /// Whether the model has ended; if so, no further command is queued.
    var isClosed = false
    var mostCount = 0

    func admits(_ generation: Int?) -> Bool {
      !isClosed && generation.map { $0 == self.generation && admitsWorkers } ?? true
    }
  }

  private let queue = Protector(Queue())
  private let limit: Int
  private let delivery: RowsDelivery
  private let scheduledDrain = ScheduledDrain()
  @MainActor private var rows: RowsWithMailbox<RowTree<Row>>

  init(_ configuration: RowsConfiguration, delivery: RowsDelivery) {
    limit = configuration.commandLimit
    self.delivery = delivery
    rows = RowsWithMailbox(configuration, lives: delivery.lives)
  }

  // MARK: Editing

  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    // The main actor must not wait for room in the queue, because only the main actor empties it.
    if generation == nil, Self.isOnMainQueue { return MainActor.assumeIsolated { applyHere(command) } }
    let limit = limit
    let wakes = queue.withWriteLock(waitingUntil: {
      $0.commands.count < limit || !$0.admits(generation)
    }) { queue -> Bool? in
      guard queue.admits(generation) else { return nil }
      queue.commands.append(command)
      queue.mostCount = max(queue.mostCount, queue.commands.count)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if wakes == true { scheduleDrain() }
    return wakes != nil
  }

  @MainActor
  private func applyHere(_ command: RowCommand) -> Bool {
    carryOutCommands()
    let edit = rows.edit(command)
    if let edit, rows.post(edit, command) { scheduleDrain() }
    return edit != nil
  }

  /// Executes the commands that other threads have sent, without notifying the observer.
  ///
  /// The thread that sent the first of these commands schedules the drain that notifies the observer.
  @MainActor
  private func carryOutCommands() {
    for command in takeCommands() {
      if let edit = rows.edit(command) { _ = rows.post(edit, command) }
    }
  }

  private func takeCommands(beginning generation: Int? = nil) -> [RowCommand] {
    var commands: [RowCommand] = []
    queue.withWriteLock { queue in
      swap(&queue.commands, &commands)
      queue.isScheduled = false
      if let generation { (queue.generation, queue.admitsWorkers) = (generation, true) }
    }
    return commands
  }

  private func scheduleDrain() {
    scheduledDrain.schedule { [weak self] in self?.drain() }
  }

  func dismissWorkers() {
    queue.withWriteLock { $0.admitsWorkers = false }
  }

  func close() {
    queue.withWriteLock { $0.isClosed = true }
  }

  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on the main queue, which is the main actor's executor.
  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

  // MARK: Delivering

  func drain() {
    delivery.deliver { spare in
      carryOutCommands()
      return rows.takeBurst(into: spare)
    }
  }

  func begin(_ texts: [String]) -> RowsBeginning {
    let firstID = rows.takeIDs(texts.count)
    rows.store = RowTree(texts.enumerated().map { Row(id: firstID + UInt64($0.offset), text: $0.element) })
    let dropped = rows.takeBurst().count
    let beginning = rows.begin(dropping: dropped)
    _ = takeCommands(beginning: beginning.generation)
    return beginning
  }

  var latest: RowsSnapshot { rows.snapshot }

  var account: RowsAccount {
    var account = rows.account
    let (count, mostCount) = queue.withReadLock { ($0.commands.count, $0.mostCount) }
    account.commands = count
    account.mostQueued = max(account.mostQueued, mostCount)
    return account
  }
}
