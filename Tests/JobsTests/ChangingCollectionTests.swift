import Jobs
import Protectors
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

  /// A collection that other threads may resize during an iteration.
  ///
  /// It is `Sendable`, because a `Protector` guards its elements.
  private final class SharedList: RandomAccessCollection, Sendable {
    private let elements = Protector([String]())

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    // The standard library's `count` would evaluate `endIndex` more than once, and could trap if the list has
    // become shorter in between.
    var count: Int { elements.withReadLock { $0.count } }

    /// Does not check the index, which can be out of bounds because another thread has shortened the list.
    func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

    subscript(index: Int) -> String {
      elements.withReadLock { index < $0.count ? $0[index] : "gone" }
    }

    func resize(to count: Int) {
      elements.exchange((0..<count).map { "element \($0)" })
    }
  }

  @Test func mapOfAListThatOtherThreadsChangeHasOneOfItsCounts() {
    let list = SharedList()
    let isOver = RelaxedFlag()
    let writers = 2
    let readers = 4
    let counts = race(threads: writers + readers) { index -> Set<Int> in
      var random = Seed.current.generator(stream: index)
      var counts: Set<Int> = []
      if index < writers {
        while !isOver.isSet {
          list.resize(to: Int.random(in: 0..<300, using: &random))
          // Without this pause of the writer, the readers would hardly ever acquire the lock.
          MonotonicClock.sleep(.microseconds(50))
        }
        return counts
      }
      for _ in 0..<StressSize.pick(quick: 20, full: 2_000) {
        let strings = list.concurrentMap { $0 + "!" }
        if !strings.allSatisfy({ $0 == "gone!" || $0.hasPrefix("element ") }) { counts.insert(-1) }
        let calls = RelaxedCounter()
        list.concurrentForEach { _ in calls.add(1) }
        counts.formUnion([strings.count, calls.value])
      }
      isOver.set()
      return counts
    }
    #expect(counts.joined().allSatisfy { 0..<300 ~= $0 }, "\(Seed.current)")
  }
}
