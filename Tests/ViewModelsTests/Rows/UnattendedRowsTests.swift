import TestSupport
import Testing
import ViewModels

/// Tests `UnattendedRows`, because benchmarks that use it are valid only if it is correct.
@Suite struct UnattendedRowsTests {
  private func edit(_ rows: UnattendedRows, thread: Int, batch: Int) {
    var random = Seed.current.generator(stream: thread << 32 + batch)
    for number in 0..<4 {
      let position = RowPosition.share(random.next())
      switch number {
      case 0: rows.apply(.insert("another row, also on the heap", position))
      case 2: rows.apply(.remove(position))
      default: rows.apply(.append("-\(thread)", position))
      }
    }
  }

  @Test func waitingEditsMakeADifference() {
    let rows = UnattendedRows(.delta, (0..<1_000).map { "row \($0)" })
    #expect(rows.isConsistent)
    edit(rows, thread: 0, batch: 0)
    #expect(!rows.isConsistent)
    rows.collect()
    #expect(rows.isConsistent)
  }

  @Test func rowsWithoutAMirrorAreConsistent() {
    let rows = UnattendedRows(.tree, ["a"])
    edit(rows, thread: 0, batch: 0)
    #expect(rows.isConsistent)
  }

  /// While one thread applies edits in `collect`, calls on other threads return immediately.
  ///
  /// The first thread must then apply the edits of the other threads too.
  @Test("nothing waits when all have collected, and both sides have the same rows")
  func allIsCollected() {
    for _ in 0..<StressSize.pick(quick: 40, full: 1_000) {
      let rows = UnattendedRows(.delta, (0..<300).map { "row number \($0), on the heap" })
      race(threads: 4) { thread in
        for batch in 0..<50 {
          edit(rows, thread: thread, batch: batch)
          rows.collect()
        }
      }
      #expect(rows.isConsistent, "\(Seed.current)")
    }
  }
}
