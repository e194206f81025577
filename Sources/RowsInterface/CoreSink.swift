internal import CRows
internal import AtomicProperties
internal import Synchronization
internal import ViewModels

/// Receives the edits that a core posts, and passes them on to a `RowsInbox`.
///
/// The core has only a handle that refers to this object: the `handle` of its `interlock_rows_sink`.
final class CoreSink: Sendable {
  let inbox: RowsInbox
  /// Called when the core ends itself.
  let end: @Sendable () -> Void

  init(_ inbox: RowsInbox, end: @escaping @Sendable () -> Void) {
    self.inbox = inbox
    self.end = end
  }

  /// The number of mistakes that cores have made in this process: refused edits and failed calls.
  static var refusals: UInt64 { refusalCount.load(ordering: .relaxed) }

  private static let refusalCount = LockFreeProperty<UInt64>(0)

  static func countRefusal() {
    refusalCount.wrappingAdd(1, ordering: .relaxed)
  }

  /// Passes an edit on to the inbox, or throws the reason for refusing it.
  func post(_ edit: interlock_rows_posted) throws(Refusal) {
    let text = unsafe try text(edit.text.bytes, edit.text.length)
    let change: RowChange =
      switch unsafe Int(edit.change) {
      case INTERLOCK_ROWS_INSERTED: .inserted
      case INTERLOCK_ROWS_REMOVED: .removed
      case INTERLOCK_ROWS_MODIFIED: .modified
      default: throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
      }
    // A generation that exceeds `Int.max` can't be right. It becomes -1, which the inbox refuses too.
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

/// Posts an edit of a core: the function `post` of the core's `interlock_rows_sink`.
func postToSink(
  _ handle: UInt64, _ edit: UnsafePointer<interlock_rows_posted>?
) -> interlock_rows_status {
  let status = attempt { () throws(Refusal) in
    let edit = unsafe try required(edit)
    guard let sink = Handles.sinks.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    unsafe try sink.post(edit.pointee)
  }
  // An edit of an ended generation does not count as a mistake, because the generation may end while the core
  // makes the edit.
  if status != interlock_rows_status(INTERLOCK_ROWS_OK),
    status != interlock_rows_status(INTERLOCK_ROWS_OLD_GENERATION)
  {
    CoreSink.countRefusal()
  }
  return status
}

/// Ends a core on its own request: the function `end` of the core's `interlock_rows_sink`.
func endSink(_ handle: UInt64) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let sink = Handles.sinks.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    sink.end()
  }
}
