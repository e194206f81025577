import TestSupport
import Testing
import ViewModels

/// Lists made of collections whose count changes between evaluations.
@Suite struct RowTreeOfChangingCollectionTests {
  /// The standard library finds it, and ends the process: no memory is read that was not written.
  @Test func oneThatShrinksTraps() async {
    await #expect(processExitsWith: .failure) {
      Trap.orDie()
      _ = RowTree(ChangingCollection(counts: [1_000, 3]))
    }
  }
}
