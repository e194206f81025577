internal import Observers
package import CRowsCore

package struct CoreRow: Sendable, Equatable {
  package var text: String
  package var number: UInt64
}

/// An edit that a core has made.
package struct CoreChange: Sendable {
  package enum Kind: UInt32, Sendable {
    case inserted, removed, modified
  }

  package let kind: Kind
  package let index: Int
  /// The rows after the edit.
  package let rows: CoreSnapshot

  /// Posts the change to the delivery at `user`, unless that has ended.
  static func post(
    _ kind: Kind, _ user: UnsafeMutableRawPointer?, _ index: Int, _ snapshot: rows_snapshot, _ count: Int
  ) {
    let change = CoreChange(kind: kind, index: index, rows: CoreSnapshot(handle: snapshot, endIndex: count))
    _ = Unmanaged<OrderedDelivery<CoreChange>>.fromOpaque(user!).takeUnretainedValue().post(change)
  }
}

/// The rows at one moment, in the memory of the core until the last reference is released.
package final class CoreSnapshot: RandomAccessCollection, Sendable {
  package let handle: rows_snapshot
  package let startIndex = 0
  package let endIndex: Int

  /// Takes over the snapshot, which `deinit` releases.
  init(handle: rows_snapshot, endIndex: Int) {
    self.handle = handle
    self.endIndex = endIndex
  }

  deinit { rows_release(handle) }

  package subscript(index: Int) -> CoreRow {
    var row = rows_row()
    precondition(rows_read(handle, index, &row) == 0, "no row \(index) of \(count)")
    let text = UnsafeBufferPointer(start: row.bytes, count: row.length)
    return CoreRow(text: String(decoding: text, as: UTF8.self), number: row.number)
  }
}
