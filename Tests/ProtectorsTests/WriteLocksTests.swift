import Protectors
import ReadWriteLocks
import TestSupport
import Testing
import UnfairLocks

/// Tests `withWriteLocks(_:_:_:)` and `withWriteLocks(_:_:)`.
@Suite struct WriteLocksTests {
  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  @Test func bothValuesChangeTogether() {
    final class Box {
      var number = 1
    }
    let ann = Protector(100)
    let box = ExclusiveProtector(Box())
    let total: Int = withWriteLocks(ann, box) { ann, box in
      ann -= 30
      box.number += 30
      return ann + box.number
    }
    #expect(total == 101)
    #expect(ann.snapshot == 70)
    #expect(box.withLock { $0.number } == 31)
  }

  @Test func noncopyableValuesCanChangePlaces() {
    let lifetimes = Lifetimes()
    let first = Protector(TrackedToken(lifetimes, number: 1))
    let second = Protector(TrackedToken(lifetimes, number: 2))
    withWriteLocks(first, second) { first, second in swap(&first, &second) }
    let numbers = [first.withReadLock { $0.number }, second.withReadLock { $0.number }]
    #expect(numbers == [2, 1])
    #expect(lifetimes.alive == 2)
  }

  @Test func anyNumberOfValuesChangesTogether() {
    let protectors = (0..<5).map { LockProtector(["\($0)"], lock: CompactReadWriteLock()) }
    let joined: String = withWriteLocks(protectors) { values in
      for index in values.indices { values[index].append("x") }
      values.reverse()
      return values.map { $0[0] }.joined()
    }
    #expect(joined == "43210")
    #expect(protectors.map(\.snapshot) == (0..<5).map { ["\(4 - $0)", "x"] })
    let nothing: [Protector<Int>] = []
    #expect(withWriteLocks(nothing) { $0.count } == 0)
  }

  @Test func errorsPassThroughAndChangesStay() {
    let first = Protector(1)
    let second = Protector(2)
    func failWithTwo() throws(Failure) {
      try withWriteLocks(first, second) { first, second throws(Failure) in
        swap(&first, &second)
        throw .expected(first)
      }
    }
    func failWithAll() throws(Failure) {
      try withWriteLocks([first, second]) { values throws(Failure) in
        values[0] = 7
        throw .expected(values[1])
      }
    }
    #expect(throws: Failure.expected(2)) { try failWithTwo() }
    #expect(throws: Failure.expected(1)) { try failWithAll() }
    #expect([first.snapshot, second.snapshot] == [7, 1])
  }

  @Test(arguments: [2, 3])
  func writeLocksServeTheWaitersOfBothProtectors(count: Int) {
    for _ in 0..<StressSize.pick(quick: 100, full: 5_000) {
      let numbers = (0..<3).map { _ in Protector(0) }
      let seen = race(threads: 4) { index -> Int in
        if index == 3 {
          MonotonicClock.sleep(.microseconds(20))
          if count == 2 {
            numbers[2].exchange(1)
            withWriteLocks(numbers[0], numbers[1]) { ($0, $1) = (1, 1) }
          } else {
            withWriteLocks(numbers) { $0 = [1, 1, 1] }
          }
          return 1
        }
        reportActivity("waits for its number")
        return index == 0
          ? numbers[index].withReadLock(waitingUntil: { $0 == 1 }) { $0 }
          : numbers[index].withWriteLock(waitingUntil: { $0 == 1 }) { $0 }
      }
      #expect(seen == [1, 1, 1, 1])
    }
  }

  /// `withWriteLocks` must queue for each lock.
  ///
  /// A thread that only polled a lock would starve, because the read sections of this test overlap.
  @Test func readersThatOverlapDoNotStarveWriteLocks() {
    let first = Protector(0)
    let second = Protector(0)
    let isOver = RelaxedFlag()
    race(threads: 5) { index in
      if index == 4 {
        MonotonicClock.sleep(.milliseconds(5))
        reportActivity("waits for both")
        withWriteLocks(first, second) { ($0, $1) = (1, 1) }
        isOver.set()
        return
      }
      while !isOver.isSet {
        (index % 2 == 0 ? first : second).withReadLock { _ in MonotonicClock.sleep(.microseconds(300)) }
      }
    }
    #expect(first.snapshot + second.snapshot == 2)
  }

  // MARK: Traps

  private static let givenTwice = "withWriteLocks: given the same protector twice; pass each protector once"

  @Test func theSameProtectorTwiceTraps() async {
    let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      withWriteLocks(number, number) { _, _ in }
    }
    #expect(Trap.message(in: two?.standardErrorContent) == Self.givenTwice)
    let three = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let number = Protector(1)
      withWriteLocks([number, Protector(2), number]) { _ in }
    }
    #expect(Trap.message(in: three?.standardErrorContent) == Self.givenTwice)
  }

  @Test func aChangedNumberOfValuesTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      withWriteLocks([Protector(1), Protector(2)]) { _ = $0.removeLast() }
    }
    let sentence =
      "withWriteLocks: its body made 1 values of 2; change and replace the values, and leave their number as it is"
    #expect(Trap.message(in: result?.standardErrorContent) == sentence)
  }

  /// `withWriteLocks` traps inside a write section of one of its protectors, in either position and with any
  /// lock.
  @Test func writeLocksInsideAWriteSectionOfOneTrap() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let (first, second) = (Protector(1), Protector(2))
        first.withWriteLock { _ in withWriteLocks(first, second) { _, _ in } }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let (first, second) = (Protector(1), ExclusiveProtector(2))
        second.withWriteLock { _ in withWriteLocks(first, second) { _, _ in } }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let protectors = (0..<3).map { LockProtector($0, lock: SpinReadWriteLock()) }
        protectors[2].withWriteLock { _ in withWriteLocks(protectors) { _ in } }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Trap.orDie()
        let protectors = (0..<3).map { LockProtector($0, lock: PosixReadWriteLock()) }
        protectors[1].withWriteLock { _ in withWriteLocks(protectors) { _ in } }
      },
    ]
    for result in results {
      let message = Trap.message(in: result?.standardErrorContent)
      #expect(message?.contains("by the thread that already holds it") == true, "\(message ?? "")")
    }
  }

  @Test func writeLocksInsideAReadSectionOfOneTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      let (first, second) = (Protector(1), Protector(2))
      second.withReadLock { _ in withWriteLocks(first, second) { _, _ in } }
    }
    let message = Trap.message(in: result?.standardErrorContent)
    #expect(
      message?.contains("locked for writing by a thread that is in a read section of it") == true,
      "\(message ?? "")")
  }
}
