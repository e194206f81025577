internal import RowTrees
internal import Observers

/// The edits that wait for the main actor.
///
/// The mailbox has no lock of its own: its owner guards it (see `RowsWithMailbox` and `RowsInbox`).
///
/// The first edit schedules a *drain* on the main actor, which takes all edits that wait by then. So a burst
/// of edits needs only one wake-up.
///
/// Each edit waits as a notification of its own, until the notifications take `byteLimit` bytes. Edits beyond
/// this limit are only counted. The drain replaces the counted edits by the difference between the rows
/// before and after them. It takes the edits and the rows in one critical section, so the rows contain the
/// edits that it takes, and no later ones.
struct RowsMailbox: Sendable {
  /// The waiting notifications, in the order of the edits.
  ///
  /// The queue has a receiver if and only if no drain is scheduled (see `RowsMailbox`). A thread whose edit
  /// takes the receiver must schedule a drain.
  private var edits = DeliveryQueue<PostedEdit, Void>(waking: ())
  /// The number of the first waiting edit without a notification; 0 if there is none.
  private(set) var firstComposed: UInt64 = 0
  /// The number of waiting edits.
  private(set) var count = 0
  /// The greatest number of edits that waited at the same time.
  private(set) var mostCount = 0
  /// The maximum memory of `edits`, in bytes.
  let byteLimit: Int
  private var bytes = 0

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// Counts an edit.
  ///
  /// - Parameters:
  ///   - sequence: The number of the edit.
  ///   - bytes: The maximum memory of the edit's notification, in bytes.
  /// - Returns: `hasRoom`: whether there is room for the notification, which the caller must then append.
  ///   `wakes`: whether the caller must schedule a drain (see `RowsMailbox`).
  mutating func admit(sequence: UInt64, bytes: Int) -> (hasRoom: Bool, wakes: Bool) {
    let hasRoom = firstComposed == 0 && self.bytes + bytes <= byteLimit
    if hasRoom {
      self.bytes += bytes
    } else if firstComposed == 0 {
      firstComposed = sequence
    }
    count += 1
    mostCount = max(mostCount, count)
    return (hasRoom, edits.takeReceiver() != nil)
  }

  /// Appends the notification of an edit.
  ///
  /// Must be called only after `admit(sequence:bytes:)` has returned `hasRoom` as true for the edit.
  mutating func append(_ edit: consuming PostedEdit) {
    edits.append(edit)
  }

  /// Takes all waiting edits.
  ///
  /// The next edit schedules a drain again (see `RowsMailbox`).
  ///
  /// - Parameter spare: An empty array. It is exchanged for the edits, so that its capacity is reused.
  /// - Returns: The number of the first edit without a notification; 0 if there is none.
  mutating func take(into spare: inout [PostedEdit]) -> UInt64 {
    edits.removeAll(into: &spare)
    edits.leave(())
    defer { firstComposed = 0 }
    (bytes, count) = (0, 0)
    return firstComposed
  }
}

/// An edit that waits for the main actor, with the contents of its notification.
struct PostedEdit: Sendable {
  let change: RowChange
  let index: Int
  let sequence: UInt64
  let content: Content

  init(_ edit: AppliedEdit, _ content: consuming Content) {
    (change, index, sequence) = (edit.change, edit.index, edit.sequence)
    self.content = content
  }

  /// The contents of a notification.
  enum Content: Sendable {
    /// The edited row, and a snapshot of all rows as the edit left them.
    case snapshot(Row, RowsSnapshot)
    /// The change of one row, with the strategy `delta`.
    case delta(RowDelta)
    /// The edited row, as reported by the `RowsCore` that owns the rows.
    case announced(Row)
  }
}

/// A change of one row, as the strategy `delta` sends it to the main actor instead of a snapshot.
///
/// The main actor applies it to a second `RowTree` (see `RowsStrategy.delta`).
enum RowDelta: Sendable {
  case insert(Row)
  case remove
  case append(String)

  /// Makes the change for an edit.
  ///
  /// - Parameters:
  ///   - command: The command that caused the edit.
  ///   - row: The inserted or modified row, or the removed one.
  init(_ command: RowCommand, _ row: Row) {
    switch command {
    case .insert: self = .insert(row)
    case .remove: self = .remove
    case .append(let text, _): self = .append(text)
    }
  }

  /// Applies the change to the row at `index`.
  ///
  /// - Returns: The inserted or modified row, or the removed one.
  @discardableResult
  func apply(to rows: inout RowTree<Row>, at index: Int) -> Row {
    switch self {
    case .insert(let row):
      rows.insert(row, at: index)
      return row
    case .remove:
      return rows.remove(at: index)
    case .append(let text):
      return rows[index].append(text)
    }
  }
}

/// The edits that the main actor takes from the mailbox and delivers together.
struct RowsBurst: Sendable {
  let generation: Int
  var edits: [PostedEdit]
  /// The edits of the burst that were only counted, and the rows after them; `nil` if each edit is in
  /// `edits`.
  let composed: Composed?

  struct Composed: Sendable {
    let sequences: ClosedRange<UInt64>
    /// The rows after the edits; `nil` if the owner of the rows does not report them (see `RowsCore`).
    let after: RowsSnapshot?
  }

  /// The number of edits in the burst.
  var count: Int {
    edits.count + (composed.map { Int($0.sequences.upperBound - $0.sequences.lowerBound) + 1 } ?? 0)
  }
}
