internal import AtomicProperties
internal import Protectors

/// Rows that only the main actor has: the strategy `mainActor`.
///
/// Workers put commands into a bounded queue and wait while it is full; the main actor takes all of them at
/// once, carries one after another out and tells of each before the next. There is no lock around the rows,
/// and nothing can wait between an edit and its notification but the main actor itself.
final class MainActorRowsEngine: RowsEngine {
  private struct Queue: Sendable {
    var commands: [RowCommand] = []
    var generation = 0
    var admitsWorkers = true
    var isScheduled = false
    var mostCount = 0
    var holds: LockHolds?
  }

  private let queue: Protector<Queue>
  private let limit: Int
  private let delivery: RowsDelivery

  @MainActor private var rows: RowTree<Row> = []
  @MainActor private var generation = 0
  @MainActor private var sequence: UInt64 = 0
  @MainActor private var nextID: UInt64 = 0
  @MainActor private var posted = RowCounts()
  @MainActor private var postedInGeneration = RowCounts()

  init(_ configuration: RowsConfiguration, delivery: RowsDelivery) {
    limit = configuration.commandLimit
    self.delivery = delivery
    queue = Protector(Queue(holds: configuration.measuresLockHolds ? LockHolds() : nil))
  }

  // MARK: Editing

  func apply(_ command: RowCommand, generation: Int?) -> Bool {
    guard let generation else {
      // Not a worker, maybe the main actor itself, for whom nobody would make room.
      if queue.withWriteLock({ Self.put(command, &$0) }) { scheduleDrain() }
      return true
    }
    let limit = limit
    let wakes = queue.withWriteLock(waitingUntil: {
      $0.commands.count < limit || !$0.admitsWorkers || $0.generation != generation
    }) { queue -> Bool? in
      guard queue.admitsWorkers, queue.generation == generation else { return nil }
      return Self.put(command, &queue)
    }
    guard let wakes else { return false }
    if wakes { scheduleDrain() }
    return true
  }

  /// Puts a command into the queue; tells whether a drain has to be scheduled.
  private static func put(_ command: RowCommand, _ queue: inout Queue) -> Bool {
    queue.commands.append(command)
    queue.mostCount = max(queue.mostCount, queue.commands.count)
    defer { queue.isScheduled = true }
    return !queue.isScheduled
  }

  private func scheduleDrain() {
    Task { @MainActor in self.drain() }
  }

  func dismissWorkers() {
    queue.withWriteLock { $0.admitsWorkers = false }
  }

  // MARK: Delivering

  func drain() {
    let commands = takeCommands()
    let generation = generation
    if delivery.prefersBatches {
      let first = sequence + 1
      for command in commands { _ = edit(command) }
      guard first <= sequence else { return }
      let composed = RowsBurst.Composed(sequences: first...sequence, after: latest)
      delivery.deliver(
        RowsBurst(generation: generation, edits: [], composed: composed), pulling: { latest })
      return
    }
    for command in commands {
      // A callback may have started the model again.
      guard generation == self.generation else { return }
      guard let edit = edit(command) else { continue }
      let posted = PostedEdit(edit, .snapshot(edit.row, latest))
      delivery.deliver(
        RowsBurst(generation: generation, edits: [posted], composed: nil), pulling: { latest })
    }
  }

  /// Carries a command out; `nil`, and nothing, where there is no such row.
  @MainActor
  private func edit(_ command: RowCommand) -> AppliedEdit? {
    guard let edit = rows.apply(command, nextID: nextID, sequence: sequence + 1) else { return nil }
    if edit.change == .inserted { nextID += 1 }
    sequence += 1
    posted.count(edit.change)
    postedInGeneration.count(edit.change)
    return edit
  }

  private func takeCommands() -> [RowCommand] {
    var commands: [RowCommand] = []
    queue.withWriteLock { queue in
      swap(&queue.commands, &commands)
      queue.isScheduled = false
    }
    return commands
  }

  func begin(_ texts: [String]) -> RowsBeginning {
    _ = takeCommands()
    rows = RowTree(texts.enumerated().map { Row(id: nextID + UInt64($0.offset), text: $0.element) })
    nextID += UInt64(texts.count)
    sequence = 0
    postedInGeneration = RowCounts()
    generation += 1
    let generation = generation
    queue.withWriteLock { queue in
      queue.generation = generation
      queue.admitsWorkers = true
    }
    return RowsBeginning(generation: generation, rows: latest, dropped: 0)
  }

  var latest: RowsSnapshot {
    RowsSnapshot(storage: .tree(rows), nextID: nextID, life: delivery.newLife())
  }

  var account: RowsAccount {
    queue.withReadLock { queue in
      RowsAccount(
        posted: posted, postedInGeneration: postedInGeneration, queued: queue.commands.count,
        mostQueued: queue.mostCount, lockHolds: queue.holds)
    }
  }
}
