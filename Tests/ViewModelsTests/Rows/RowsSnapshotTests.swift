import RowTrees
import TestSupport
import Testing

@testable import ViewModels

@Suite struct RowsSnapshotTests {
  private func snapshots(_ rows: [Row]) -> [RowsSnapshot] {
    [RowsSnapshot(storage: .array(rows), nextID: 0), RowsSnapshot(storage: .tree(RowTree(rows)), nextID: 0)]
  }

  @Test("a visit of a range calls the body with its rows alone, in order, until it returns false")
  func visit() {
    let rows = (0..<500).map { Row(id: UInt64($0), text: "\($0)") }
    for snapshot in snapshots(rows) {
      for range in [0..<0, 0..<1, 3..<5, 60..<70, 63..<64, 100..<100, 130..<400, 490..<500, 0..<500] {
        var seen: [Int] = []
        snapshot.visit(range) { index, row in
          #expect(row.id == UInt64(index))
          seen.append(index)
          return true
        }
        #expect(seen == Array(range))
        var left = range.count / 2 + 1
        seen = []
        snapshot.visit(range) { index, _ in
          seen.append(index)
          left -= 1
          return left > 0
        }
        #expect(seen == Array(range.prefix(range.count / 2 + 1)))
      }
    }
  }

  @Test("the fingerprint tells where a row ends: a text may contain the bytes of a row's number")
  func fingerprint() {
    let two = [Row(id: 0, text: "a"), Row(id: 1, text: "b")]
    let one = [Row(id: 0, text: "a\u{1}" + String(repeating: "\0", count: 7) + "b")]
    let fingerprints = [two, one].flatMap { rows in snapshots(rows).map(\.fingerprint) }
    #expect(fingerprints[0] == fingerprints[1] && fingerprints[2] == fingerprints[3])
    #expect(fingerprints[0] != fingerprints[2])
  }
}
