internal import Synchronization

/// A collection whose `count` changes each time it is evaluated.
///
/// The subscript accepts every index, so the collection itself never traps. Code under test that allocates
/// memory for the first count, and then trusts a later count, writes beyond that memory.
package struct ChangingCollection: RandomAccessCollection, Sendable {
  private final class Evaluations: Sendable {
    let number = Atomic(0)
  }

  private let counts: [Int]
  private let evaluated = Evaluations()

  /// Makes a collection.
  ///
  /// - Parameter counts: The numbers of elements that `count` returns one after another, repeated cyclically.
  package init(counts: [Int]) {
    self.counts = counts
  }

  /// The number of times that `count` or `endIndex` was evaluated.
  package var evaluations: Int { evaluated.number.load(ordering: .relaxed) }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    counts[evaluated.number.wrappingAdd(1, ordering: .relaxed).oldValue % counts.count]
  }

  package var count: Int { endIndex }

  // The default implementation would evaluate `endIndex` to check the index, which would change the count.
  package func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

  package func index(after index: Int) -> Int { index + 1 }

  package func formIndex(after index: inout Int) { index += 1 }

  package subscript(index: Int) -> String { "element \(index) of many" }
}
