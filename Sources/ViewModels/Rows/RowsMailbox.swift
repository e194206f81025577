/// What waits for the main actor: a part of the state that the model's lock guards.
///
/// A burst of edits makes one wake-up: the first that finds nobody on the way schedules a drain, and a drain
/// takes all that is there. Up to a number of bytes each edit waits as a notification of its own. The edits
/// after that are only counted: the drain composes them of the rows before and after them, which it has
/// anyway. They are taken in the same section as the rows, so that exactly those edits are in the batch that
/// are in the rows.
struct RowsMailbox: Sendable {
  /// The notifications that wait, in the order of the edits.
  private(set) var edits: [PostedEdit] = []
  /// The first of the edits that wait without a notification; 0 where there are none.
  private(set) var firstComposed: UInt64 = 0
  /// How many edits wait.
  private(set) var count = 0
  /// The most that ever waited.
  private(set) var mostCount = 0
  /// The most memory that `edits` may take.
  let byteLimit: Int
  private var bytes = 0
  /// Whether a drain is on its way.
  private var isScheduled = false

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// Counts an edit in.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - bytes: The memory that its notification takes at most.
  /// - Returns: Whether there is room for the notification, which then has to be appended; and whether a
  ///   drain has to be scheduled.
  mutating func admit(sequence: UInt64, bytes: Int) -> (hasRoom: Bool, wakes: Bool) {
    let hasRoom = firstComposed == 0 && self.bytes + bytes <= byteLimit
    if hasRoom {
      self.bytes += bytes
    } else if firstComposed == 0 {
      firstComposed = sequence
    }
    count += 1
    mostCount = max(mostCount, count)
    defer { isScheduled = true }
    return (hasRoom, !isScheduled)
  }

  /// Puts the notification of an edit in for which there is room.
  mutating func append(_ edit: consuming PostedEdit) {
    edits.append(edit)
  }

  /// Takes all that waits; what is posted from now on schedules a drain again.
  ///
  /// - Parameter spare: An empty array with memory for the next edits; then the edits.
  /// - Returns: The first of the edits that have no notification; 0 where there are none.
  mutating func take(into spare: inout [PostedEdit]) -> UInt64 {
    swap(&edits, &spare)
    defer { firstComposed = 0 }
    (bytes, count, isScheduled) = (0, 0, false)
    return firstComposed
  }
}

/// An edit on its way to the main actor.
struct PostedEdit: Sendable {
  let change: RowChange
  let index: Int
  let sequence: UInt64
  let content: Content

  init(_ edit: AppliedEdit, _ content: consuming Content) {
    (change, index, sequence) = (edit.change, edit.index, edit.sequence)
    self.content = content
  }

  /// What it takes to tell of it.
  enum Content: Sendable {
    /// The row, and all rows after the edit.
    case snapshot(Row, RowsSnapshot)
    /// What a mirror has to do.
    case delta(RowDelta)
    /// The row alone: the rows are read on arrival, which is wrong (`RowsFault.pull`).
    case pulled(Row)
  }
}

/// What a mirror of the rows has to do to follow an edit.
enum RowDelta: Sendable {
  case insert(Row)
  case remove
  case append(String)

  /// What a mirror has to do after an edit.
  ///
  /// - Parameters:
  ///   - command: What the edit was made by.
  ///   - row: The row that it was about.
  init(_ command: RowCommand, _ row: Row) {
    switch command {
    case .insert: self = .insert(row)
    case .remove: self = .remove
    case .append(let text, _): self = .append(text)
    }
  }

  /// Follows the edit.
  ///
  /// - Returns: The row that was inserted or modified, as it is now, or that was removed.
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

/// What one drain delivers.
struct RowsBurst: Sendable {
  let generation: Int
  var edits: [PostedEdit]
  /// The edits after these, composed.
  let composed: Composed?

  struct Composed: Sendable {
    let sequences: ClosedRange<UInt64>
    let after: RowsSnapshot
  }

  /// How many edits it accounts for.
  var count: Int {
    edits.count + (composed.map { Int($0.sequences.upperBound - $0.sequences.lowerBound) + 1 } ?? 0)
  }
}
