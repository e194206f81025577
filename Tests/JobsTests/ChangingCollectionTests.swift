import Jobs
import TestSupport
import Testing

/// Tests that concurrent iterations access no memory out of bounds when a collection's count changes between
/// evaluations.
@Suite struct ChangingCollectionTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// For each test collection, the results of the successive evaluations of its `count`.
  static let counts = [
    [3, 1_000, 1_000, 1_000], [1_000, 3, 3, 3], [0, 500], [500, 0], [7, 6, 5, 8, 900],
  ]

  @Test(arguments: counts)
  func mapEvaluatesTheCountOnce(counts: [Int]) {
    let collection = ChangingCollection(counts: counts)
    let results = collection.concurrentMap { $0 + "!" }
    #expect(collection.evaluations == 1)
    #expect(results == (0..<counts[0]).map { "element \($0) of many!" })
  }

  @Test(arguments: counts)
  func forEachEvaluatesTheCountOnce(counts: [Int]) {
    let collection = ChangingCollection(counts: counts)
    let calls = RelaxedCounter()
    collection.concurrentForEach { _ in calls.add(1) }
    #expect(collection.evaluations == 1)
    #expect(calls.value == counts[0])
  }

  @Test(arguments: counts)
  func anErrorDestroysTheResultsMadeSoFar(counts: [Int]) {
    let lifetimes = Lifetimes()
    let collection = ChangingCollection(counts: counts)
    var caught: Failure?
    do throws(Failure) {
      _ = try collection.concurrentMap { (element) throws(Failure) in
        if element == "element 2 of many" { throw Failure(number: 2) }
        return Tracked(lifetimes)
      }
    } catch {
      caught = error
    }
    #expect(caught == (counts[0] > 2 ? Failure(number: 2) : nil))
    #expect(lifetimes.alive == 0)
  }
}
