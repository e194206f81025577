import Testing

@testable import ViewModels

@Suite struct RowStoreTests {
  /// `bytesPerSnapshot` must be at least the number of bytes that an edit copies.
  ///
  /// The limit of a backlog counts this number for each snapshot. If the number were too small, the backlog
  /// would take more memory than its limit.
  @Test func bytesPerSnapshotAreAtLeastThoseOfTheArray() {
    var rows: [Row] = []
    for number in 0..<1_000 {
      #expect(rows.bytesPerSnapshot >= 32 + rows.capacity * MemoryLayout<Row>.stride)
      rows.append(Row(id: UInt64(number), text: ""))
    }
  }
}
