internal import Observers
internal import Protectors
public import ReadWriteLocks
internal import Snapshots

/// How the edits of threads get to the main actor.
public struct RowsStrategy: Sendable {
  let makeEditor: @Sendable (RowList, OrderedDelivery<RowMessage>) -> any RowEditor

  /// One instance of the rows, on the main actor and without a lock.
  ///
  /// Threads send edits, which the main actor makes.
  public static let mainActor = RowsStrategy { _, delivery in SendingEditor(delivery: delivery) }

  /// Rows behind the lock of a `Protector`; the edits of threads send snapshots to the main actor.
  public static let snapshots = RowsStrategy.snapshots { BiasedReadWriteLock() }

  /// Rows behind an `ExclusiveProtector`; the edits of threads send snapshots to the main actor.
  public static let exclusiveSnapshots = RowsStrategy { list, delivery in
    let protector = ExclusiveProtector(list)
    return SnapshotEditor(list.rows, delivery) { body in protector.withLock { body(&$0) } }
  }

  /// Rows behind a read/write lock of your choice; the edits of threads send snapshots to the main actor.
  ///
  /// - Parameter makeLock: Creates the lock, once for each generation (see `RowsViewModel`).
  /// - Returns: The strategy.
  public static func snapshots<Lock: ReadWriteLock & ~Copyable>(
    behind makeLock: @escaping @Sendable () -> Lock
  ) -> RowsStrategy {
    RowsStrategy { list, delivery in
      let protector = LockProtector(list, lock: makeLock())
      return SnapshotEditor(list.rows, delivery) { body in protector.withWriteLock { body(&$0) } }
    }
  }
}

/// What is delivered to the main actor.
enum RowMessage: Sendable {
  /// A change that was made.
  case change(RowNotification)
  /// An edit that the main actor makes.
  case edit(RowEdit)
}

/// The implementation of a `RowsStrategy`: edits the rows of one generation.
protocol RowEditor: Sendable {
  /// Makes or sends an edit, and posts it to the main actor; never waits for room. Called on any thread.
  func apply(_ edit: RowEdit) -> RowEditResult

  /// The rows after the last edit; `nil` if only the main actor has them.
  var published: Snapshot<RowTree<Row>>? { get }
}

/// Edits the rows under a lock, and posts the change in the same critical section.
///
/// So the changes are delivered in the order of the edits, each with the rows as the edit left them. If there
/// is no room for the change, the section drops the edited copy of the rows, so an edit is never made without
/// a notification.
private struct SnapshotEditor: RowEditor {
  let published: Snapshot<RowTree<Row>>?
  private let delivery: OrderedDelivery<RowMessage>
  /// Runs its argument in a write section of the rows.
  ///
  /// A closure, because on older Apple systems a type that is generic over a noncopyable lock can't be a
  /// `RowEditor`.
  private let section: @Sendable ((inout RowList) -> RowEditResult) -> RowEditResult

  init(
    _ rows: RowTree<Row>, _ delivery: OrderedDelivery<RowMessage>,
    section: @escaping @Sendable ((inout RowList) -> RowEditResult) -> RowEditResult
  ) {
    published = Snapshot(rows, label: "newest rows")
    self.delivery = delivery
    self.section = section
  }

  func apply(_ edit: RowEdit) -> RowEditResult {
    section { list in
      var edited = list
      guard let change = edited.make(edit) else { return .noSuchRow }
      guard delivery.post(.change(change)) else { return .noRoom }
      list = edited
      published?.publish(edited.rows)
      return .accepted
    }
  }
}

/// Sends edits to the main actor.
private struct SendingEditor: RowEditor {
  let delivery: OrderedDelivery<RowMessage>

  var published: Snapshot<RowTree<Row>>? { nil }

  func apply(_ edit: RowEdit) -> RowEditResult {
    delivery.post(.edit(edit)) ? .accepted : .noRoom
  }
}
