// The functions of `interlock_rows.h` that edit rows.

// `interlock_rows.h` has the documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CRows
internal import ViewModels

/// Makes an edit of a model's rows; returns OK, or the status that says why no edit was made.
///
/// - Parameter command: Returns the edit; throws if the arguments of the C function are not valid.
@inline(__always)
private func edit(
  _ model: interlock_rows_model, _ command: () throws(Refusal) -> RowCommand
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    let (shared, command) = (try sharedModel(model), try command())
    if !shared.apply(command) {
      throw Refusal(shared.isDestroyed ? INTERLOCK_ROWS_INVALID_HANDLE : INTERLOCK_ROWS_NO_SUCH_ROW)
    }
  }
}

@c @implementation
public func interlock_rows_insert(
  _ model: interlock_rows_model, _ place: interlock_rows_position, _ bytes: UnsafePointer<CChar>?,
  _ length: Int
) -> interlock_rows_status {
  edit(model) { () throws(Refusal) in unsafe .insert(try text(bytes, length), try position(place)) }
}

@c @implementation
public func interlock_rows_remove(
  _ model: interlock_rows_model, _ place: interlock_rows_position
) -> interlock_rows_status {
  edit(model) { () throws(Refusal) in .remove(try position(place)) }
}

@c @implementation
public func interlock_rows_append(
  _ model: interlock_rows_model, _ place: interlock_rows_position, _ bytes: UnsafePointer<CChar>?,
  _ length: Int
) -> interlock_rows_status {
  edit(model) { () throws(Refusal) in unsafe .append(try text(bytes, length), try position(place)) }
}

@c @implementation
public func interlock_rows_edit_all(
  _ model: interlock_rows_model, _ edits: UnsafePointer<interlock_rows_edit>?, _ count: Int,
  _ made: UnsafeMutablePointer<Int>?
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    let shared = try sharedModel(model)
    let edits = unsafe try required(edits, count: count)
    var commands: [RowCommand?] = []
    commands.reserveCapacity(edits.count)
    for index in 0..<edits.count {
      do throws(Refusal) {
        commands.append(unsafe try command(edits[index]))
      } catch {
        // An edit whose index exceeds `Int.max` is skipped, like any edit of a row that does not exist.
        if error.status != interlock_rows_status(INTERLOCK_ROWS_NO_SUCH_ROW) { throw error }
      }
    }
    var count = 0
    for case let command? in commands where shared.apply(command) { count += 1 }
    unsafe made?.pointee = count
    // If another thread destroys the model during this call, the remaining edits fail. Without this error,
    // the caller would conclude that their rows don't exist.
    if count < edits.count, shared.isDestroyed { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
  }
}
