import Testing

@testable import ViewModels

@Suite struct RowStoreTests {
  /// A backlog limits its memory by these numbers, so they must not be below what an edit really copies.
  @Test func bytesPerSnapshotAreAtLeastThoseOfTheArray() {
    var rows: [Row] = []
    for number in 0..<1_000 {
      #expect(rows.bytesPerSnapshot >= 32 + rows.capacity * MemoryLayout<Row>.stride)
      rows.append(Row(id: UInt64(number), text: ""))
    }
  }
}
