import AtomicProperties
import TestSupport
import Testing
import ViewModels

/// Tests the search over the rows of a snapshot.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct RowsSearchTests {
  private func rows(_ texts: [String]) -> RowsSnapshot {
    RowsViewModel(.testing { $0.initialRows = texts }).rows
  }

  @Test("the rows that contain the text, in order")
  func found() async {
    let rows = rows((0..<12_345).map { "row-\($0)" })
    #expect(await rows.search(for: "row-777") == [777] + Array(7770...7779))
    #expect(await rows.search(for: "4321") == [4321])
    #expect(await rows.search(for: "") == Array(0..<12_345))
    #expect(await rows.search(for: "Row") == [])
    #expect(await self.rows([]).search(for: "") == [])
    #expect(await self.rows(["aaab", "aa", "é"]).search(for: "aab") == [0])
    #expect(await self.rows(["aaab", "aa", "é"]).search(for: "é") == [2])
  }

  @Test("its progress counts every row once")
  func progress() async {
    let rows = rows((0..<5_001).map(String.init))
    let searched = AtomicProperty(0)
    #expect(await rows.search(for: "5000", progress: { searched.value += $0 }) == [5000])
    #expect(searched.value == 5_001)
  }

  @Test("a cancelled search ends without a result, and without looking at all rows")
  func cancelled() async {
    let rows = rows((0..<200_000).map(String.init))
    let (begun, cancelled, searched) = (Signal(), Signal(), AtomicProperty(0))
    let search = Task.detached {
      await rows.search(for: "1") { count in
        searched.value += count
        begun.send()
        // Blocking is safe here: the search calls this closure on a thread of libdispatch, not on one that
        // runs tasks.
        cancelled.wait()
      }
    }
    begun.wait()
    search.cancel()
    cancelled.send()
    #expect(await search.value == nil)
    #expect(searched.value < 200_000)
  }
}
