import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests `withLock(sending:)` and `withWriteLock(sending:)`, which move a value into a critical section.
///
/// The value need not be `Sendable`. The tests also check that such calls compile.
@Suite struct LockProtectorSendingTests {
  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  private final class Box {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Test func objectsAreSentInOneByOne() {
    let boxes = ExclusiveProtector<[Box]>([])
    let box = Box(1)
    box.number = 2
    boxes.withLock(sending: box) { boxes, box in boxes.append(box) }
    boxes.withLock(sending: Box(3)) { $0.append($1) }
    let count: Int = boxes.withLock(sending: Box(4)) { boxes, box in
      boxes.append(box)
      return boxes.count
    }
    #expect(count == 3)
    #expect(boxes.withLock { $0.map(\.number) } == [2, 3, 4])
  }

  @Test func noncopyableValuesAreSentIn() {
    let lifetimes = Lifetimes()
    let token = LockProtector<TrackedToken?, CompactReadWriteLock>(nil, lock: CompactReadWriteLock())
    token.withWriteLock(sending: TrackedToken(lifetimes, number: 1)) { token, new in token = consume new }
    let old = token.withWriteLock(sending: TrackedToken(lifetimes, number: 2)) { token, new in
      let old = token.take()
      token = consume new
      return old
    }
    guard let old else {
      Issue.record("what was handed in first is gone")
      return
    }
    let number = old.number
    #expect(number == 1)
    #expect(lifetimes.alive == 2)
  }

  @Test func anErrorDestroysTheSentValue() {
    let lifetimes = Lifetimes()
    let number = Protector(1)
    func fail() throws(Failure) {
      try number.withWriteLock(sending: TrackedToken(lifetimes, number: 2)) { value, token throws(Failure) in
        value = token.number
        throw .expected(value)
      }
    }
    #expect(throws: Failure.expected(2)) { try fail() }
    #expect(lifetimes.alive == 0)
    #expect(number.value == 2)
  }

  @Test func aSentValueWaitsForThePredicate() {
    let boxes = ExclusiveProtector<[Box]>([Box(0)])
    concurrently(
      { boxes.withLock { $0.removeAll() } },
      {
        boxes.withLock(waitingUntil: { $0.isEmpty }, sending: Box(1)) { boxes, box in
          boxes.append(box)
        }
      })
    #expect(boxes.withLock { $0.map(\.number) } == [1])
  }
}
