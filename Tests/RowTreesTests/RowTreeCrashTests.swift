import TestSupport
import Testing

@testable import RowTrees

/// Tests that indices out of bounds trap with a message; each test runs in a process of its own.
@Suite struct RowTreeCrashTests {
  @Test func readingBehindTheEndTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RowTree([1, 2])[2]
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowTree: index 2 of a list of 2; compare with count first")
  }

  @Test func visitingBehindTheEndTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RowTree([1, 2]).visit(1..<3) { _, _ in true }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowTree: index 2 of a list of 2; compare with count first")
  }

  @Test func changingBehindTheEndTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = RowTree([1, 2])
      tree[-1] += 1
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowTree: index -1 of a list of 2; compare with count first")
  }

  @Test func removingFromAnEmptyListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree: RowTree<Int> = []
      tree.remove(at: 0)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowTree: index 0 of a list of 0; compare with count first")
  }

  @Test func insertingBehindTheEndTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = RowTree([1, 2])
      tree.insert(3, at: 4)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RowTree: an insertion at 4 of a list of 2; compare with count first")
  }
}
