// The functions of `interlock_rows.h` that take, read and release snapshots.

// `interlock_rows.h` has the documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CRows
internal import ViewModels

@c @implementation
public func interlock_rows_shown(
  _ model: interlock_rows_model, _ snapshot: UnsafeMutablePointer<interlock_rows_snapshot>?
) -> interlock_rows_status {
  unsafe take(model, snapshot) { $0.rows }
}

@c @implementation
public func interlock_rows_latest(
  _ model: interlock_rows_model, _ snapshot: UnsafeMutablePointer<interlock_rows_snapshot>?
) -> interlock_rows_status {
  unsafe take(model, snapshot) { $0.latestRows }
}

private func take(
  _ model: interlock_rows_model, _ snapshot: UnsafeMutablePointer<interlock_rows_snapshot>?,
  _ rows: @MainActor (RowsViewModel) -> RowsSnapshot
) -> interlock_rows_status {
  unsafe attemptOnMain(snapshot) { snapshot throws(Refusal) in
    let (shared, result) = unsafe (try sharedModel(model), try required(snapshot))
    unsafe result.pointee = Handles.snapshots.insert(SharedSnapshot(rows(shared.model)))
  }
}

/// Calls `body` with the rows of a snapshot.
///
/// Returns OK, or the status that `body` has thrown. Returns another status without calling `body` if the
/// handle is not valid, or inside a function of a core.
private func read(
  _ snapshot: interlock_rows_snapshot, _ body: (RowsSnapshot) throws(Refusal) -> Void
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let shared = Handles.snapshots.object(snapshot) else {
      throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE)
    }
    try body(shared.rows)
  }
}

@c @implementation
public func interlock_rows_snapshot_release(_ snapshot: interlock_rows_snapshot) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    if Handles.snapshots.remove(snapshot) == nil { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
  }
}

@c @implementation
public func interlock_rows_snapshot_count(
  _ snapshot: interlock_rows_snapshot, _ count: UnsafeMutablePointer<Int>?
) -> interlock_rows_status {
  read(snapshot) { rows throws(Refusal) in unsafe try required(count).pointee = rows.count }
}

@c @implementation
public func interlock_rows_snapshot_fingerprint(
  _ snapshot: interlock_rows_snapshot, _ fingerprint: UnsafeMutablePointer<UInt64>?
) -> interlock_rows_status {
  read(snapshot) { rows throws(Refusal) in unsafe try required(fingerprint).pointee = rows.fingerprint }
}

@c @implementation
public func interlock_rows_snapshot_row(
  _ snapshot: interlock_rows_snapshot, _ index: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?, _ id: UnsafeMutablePointer<UInt64>?
) -> interlock_rows_status {
  read(snapshot) { rows throws(Refusal) in
    let length = unsafe try required(length)
    if unsafe capacity != 0 && buffer == nil { throw Refusal(INTERLOCK_ROWS_NULL_ARGUMENT) }
    // A size that exceeds `Int.max` arrives as a negative number.
    guard capacity >= 0 else { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
    guard rows.indices.contains(index) else { throw Refusal(INTERLOCK_ROWS_NO_SUCH_ROW) }
    let row = rows[index]
    unsafe id?.pointee = row.id
    let fits = unsafe row.text.withCharacters { text in
      unsafe length.pointee = text.length
      guard unsafe text.length <= capacity else { return false }
      // Sound: the buffer has `capacity` bytes, and the text is not longer.
      if let buffer = unsafe buffer, let bytes = unsafe text.bytes {
        unsafe buffer.update(from: bytes, count: text.length)
      }
      return true
    }
    if !fits { throw Refusal(INTERLOCK_ROWS_BUFFER_TOO_SMALL) }
  }
}

@c @implementation
public func interlock_rows_snapshot_visit(
  _ snapshot: interlock_rows_snapshot, _ first: Int, _ count: Int, _ visitor: interlock_rows_visitor?,
  _ user: UnsafeMutableRawPointer?
) -> interlock_rows_status {
  read(snapshot) { rows throws(Refusal) in
    guard let visitor = unsafe visitor else { throw Refusal(INTERLOCK_ROWS_NULL_ARGUMENT) }
    guard (0...rows.count).contains(first) else { throw Refusal(INTERLOCK_ROWS_NO_SUCH_ROW) }
    // A count that exceeds `Int.max` arrives as a negative number. It means all rows from `first` on.
    let end = first + (count < 0 ? rows.count - first : min(count, rows.count - first))
    visitorCalls.inside {
      rows.visit(first..<end) { index, row in
        let id = row.id
        return unsafe row.text.withCharacters { text in
          unsafe visitor(user, index, id, text.bytes, text.length) != 0
        }
      }
    }
  }
}
