import RowTrees
import TestSupport
import Testing

/// Tests row trees that are made from collections whose count changes between evaluations.
@Suite struct RowTreeOfChangingCollectionTests {
  /// The standard library detects a collection that shrinks, and ends the process before uninitialised memory
  /// is read.
  @Test func aCollectionThatShrinksDuringTheBuildTraps() async {
    await #expect(processExitsWith: .failure) {
      Trap.orDie()
      _ = RowTree(ChangingCollection(counts: [1_000, 3]))
    }
  }
}
