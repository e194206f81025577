import Jobs
import Protectors
import TestSupport
import Testing

@Suite struct WithThreadsTests {
  private struct Failure: Error, Equatable {
    let index: Int
  }

  @Test("the results are in the order of the indices, whichever body ends first")
  func results() {
    let next = ExclusiveProtector(7)
    let squares = withThreads(8) { index in
      // The bodies end in the reverse order.
      next.withLock(waitingUntil: { $0 == index }) { $0 -= 1 }
      return index * index
    }
    #expect(squares == [0, 1, 4, 9, 16, 25, 36, 49])
    #expect(withThreads(0) { $0 } == [])
  }

  @Test("the bodies run at the same time, beside the sleeping caller, and inside other bodies")
  func together() {
    let inner = MeetingPoint(parties: 6)
    let caller = PlatformThread.current
    withThreads(2) { _ in
      withThreads(3) { _ in
        #expect(PlatformThread.current != caller)
        inner.meet()
      }
    }
  }

  @Test("it borrows what the caller has, and returns what is not Sendable")
  func borrowsAndReturns() {
    final class Box {
      var number = 0
    }
    let sum = ExclusiveProtector(0)
    let boxes = withThreads(3) { index -> Box in
      sum.withLock { $0 += index }
      let box = Box()
      box.number = index
      return box
    }
    boxes[0].number += 10
    #expect(boxes.map(\.number) == [10, 1, 2])
    #expect(sum.withLock { $0 } == 3)
  }

  @Test(
    "all bodies end, and then the error of the lowest index is thrown; the results are released",
    arguments: [[1, 4], [0], [2, 3]])
  func errors(failing: [Int]) {
    let lifetimes = Lifetimes()
    let ended = ExclusiveProtector(0)
    let error = #expect(throws: Failure.self) {
      try withThreads(5) { index throws(Failure) -> Tracked in
        // The bodies continue in descending order of their indices, so index 4 fails before index 1. Even so,
        // the error of the lowest index is expected.
        let rank = 4 - index
        ended.withLock(waitingUntil: { $0 == rank }) { $0 += 1 }
        if failing.contains(index) { throw Failure(index: index) }
        return Tracked(lifetimes, number: index)
      }
    }
    #expect(error == Failure(index: failing[0]))
    #expect(ended.withLock { $0 } == 5)
    #expect(lifetimes.made == 5 - failing.count && lifetimes.alive == 0)
  }
}
