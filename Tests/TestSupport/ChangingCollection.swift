internal import Synchronization

/// A collection whose number of elements is another one each time that somebody evaluates it.
///
/// It has an element for each index, so that only the code under test can go out of bounds.
package struct ChangingCollection: RandomAccessCollection, Sendable {
  private final class Evaluations: Sendable {
    let number = Atomic(0)
  }

  private let counts: [Int]
  private let evaluated = Evaluations()

  /// - Parameter counts: What the evaluations of the count yield, in order, and from the beginning again.
  package init(counts: [Int]) {
    self.counts = counts
  }

  /// How often the count was evaluated.
  package var evaluations: Int { evaluated.number.load(ordering: .relaxed) }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    counts[evaluated.number.wrappingAdd(1, ordering: .relaxed).oldValue % counts.count]
  }

  package var count: Int { endIndex }

  // The standard library's own would compare with the count.
  package func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

  package func index(after index: Int) -> Int { index + 1 }

  package func formIndex(after index: inout Int) { index += 1 }

  package subscript(index: Int) -> String { "element \(index) of many" }
}
