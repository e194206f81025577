internal import CRows
internal import AtomicProperties
internal import ViewModels

/// Receives the edits that a core posts, and passes them on to a `RowsInbox`.
///
/// The core refers to this object by a number: the `handle` in its `interlock_rows_sink`.
final class CoreSink: Sendable {
  let inbox: RowsInbox
  /// Called when the core ends itself; returns `false` if another call has already begun to end the core.
  let end: @Sendable () -> Bool

  init(_ inbox: RowsInbox, end: @escaping @Sendable () -> Bool) {
    self.inbox = inbox
    self.end = end
  }

  /// The number of mistakes that cores have made in this process: refused edits and failed calls.
  static var refusals: UInt64 { refusalCount.value }

  private static let refusalCount = AtomicProperty<UInt64>(0)

  static func countRefusal() {
    refusalCount.value += 1
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
    // The number of a generation is never negative. A number above `Int.max` becomes -1 here, so the inbox
    // refuses the edit.
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

/// Implements `post` of `interlock_rows_sink`: a core calls this to post an edit.
func postToSink(
  _ handle: UInt64, _ edit: UnsafePointer<interlock_rows_posted>?
) -> interlock_rows_status {
  let status = attempt { () throws(Refusal) in
    let edit = unsafe try required(edit)
    guard let sink = Handles.sinks.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    unsafe try sink.post(edit.pointee)
  }
  // An edit of a generation that has ended is refused, but does not count as a mistake of the core: the
  // model may replace all rows while the core posts an edit of the previous rows.
  if status != interlock_rows_status(INTERLOCK_ROWS_OK),
    status != interlock_rows_status(INTERLOCK_ROWS_OLD_GENERATION)
  {
    CoreSink.countRefusal()
  }
  return status
}

/// Implements `end` of `interlock_rows_sink`: a core calls this to end itself.
func endSink(_ handle: UInt64) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let sink = Handles.sinks.object(handle), sink.end() else {
      throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE)
    }
  }
}
