import Testing

@testable import ViewModels

@Suite struct RowStoreTests {
  /// `bytesPerSnapshot` must be at least the bytes that an edit copies, because a backlog limits its memory
  /// by it.
  @Test func bytesPerSnapshotAreAtLeastThoseOfTheArray() {
    var rows: [Row] = []
    for number in 0..<1_000 {
      #expect(rows.bytesPerSnapshot >= 32 + rows.capacity * MemoryLayout<Row>.stride)
      rows.append(Row(id: UInt64(number), text: ""))
    }
  }
}
