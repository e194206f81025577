internal import CRows
internal import AtomicProperties
internal import Synchronization
internal import ViewModels

/// The place to which a core posts its edits.
///
/// The handle in the core's sink leads here.
final class CoreSink: Sendable {
  let inbox: RowsInbox
  /// Ends the core from its own side.
  let end: @Sendable () -> Void

  init(_ inbox: RowsInbox, end: @escaping @Sendable () -> Void) {
    self.inbox = inbox
    self.end = end
  }

  /// How many edits of cores were refused, and how often a core did not do what it was asked to.
  static var refusals: UInt64 { refusalCount.load(ordering: .relaxed) }

  private static let refusalCount = LockFreeProperty<UInt64>(0)

  static func countRefusal() {
    refusalCount.wrappingAdd(1, ordering: .relaxed)
  }

  /// Passes an edit on.
  func post(_ edit: interlock_rows_posted) throws(Refusal) {
    let text = unsafe try text(edit.text.bytes, edit.text.length)
    let change: RowChange =
      switch unsafe Int(edit.change) {
      case INTERLOCK_ROWS_INSERTED: .inserted
      case INTERLOCK_ROWS_REMOVED: .removed
      case INTERLOCK_ROWS_MODIFIED: .modified
      default: throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
      }
    // Numbers that are too great are wrong in any case, and so is -1.
    let outcome = unsafe inbox.post(
      change, at: edit.index, Row(id: edit.id, text: text), sequence: edit.sequence,
      generation: Int(exactly: edit.generation) ?? -1)
    switch outcome {
    case .posted: return
    case .outOfOrder: throw Refusal(INTERLOCK_ROWS_OUT_OF_ORDER)
    case .noSuchRow: throw Refusal(INTERLOCK_ROWS_NO_SUCH_ROW)
    case .oldGeneration: throw Refusal(INTERLOCK_ROWS_OLD_GENERATION)
    case .closed: throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE)
    }
  }
}

/// The sink's `post`.
func postToSink(
  _ handle: UInt64, _ edit: UnsafePointer<interlock_rows_posted>?
) -> interlock_rows_status {
  let status = attempt { () throws(Refusal) in
    let edit = unsafe try required(edit)
    guard let sink = Handles.sinks.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    unsafe try sink.post(edit.pointee)
  }
  // Edits of a generation that has ended while they were made are no mistake.
  if status != interlock_rows_status(INTERLOCK_ROWS_OK),
    status != interlock_rows_status(INTERLOCK_ROWS_OLD_GENERATION)
  {
    CoreSink.countRefusal()
  }
  return status
}

/// The sink's `end`.
func endSink(_ handle: UInt64) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let sink = Handles.sinks.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    sink.end()
  }
}
