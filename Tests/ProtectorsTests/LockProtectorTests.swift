import Protectors
import ReadWriteLocks
import TestSupport
import Testing

@Suite struct LockProtectorTests {
  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  @Test func writesAreSeenByReads() {
    let numbers = Protector([1, 2, 3])
    numbers.withWriteLock { $0.append(4) }
    numbers.withWriteLock { $0[0] = 10 }
    #expect(numbers.withReadLock { $0 } == [10, 2, 3, 4])
  }

  @Test func theValueCanBeReplaced() {
    let text = Protector("old")
    text.withWriteLock { $0 = "new" }
    #expect(text.withReadLock { $0 } == "new")
  }

  @Test func resultsPassThrough() {
    let number = Protector(20)
    let read = number.withReadLock { $0 + 1 }
    let written = number.withWriteLock { value in
      value += 2
      return "\(value)"
    }
    #expect(read == 21)
    #expect(written == "22")
  }

  @Test func noncopyableResultsPassThrough() {
    let lifetimes = Lifetimes()
    let number = Protector(5)
    do {
      let read = number.withReadLock { TrackedToken(lifetimes, number: $0) }
      let written = number.withWriteLock { TrackedToken(lifetimes, number: $0 + 1) }
      let numbers = [read.number, written.number]
      #expect(numbers == [5, 6])
    }
    #expect(lifetimes.made == 2)
    #expect(lifetimes.alive == 0)
  }

  @Test func errorsPassThroughWithTheirType() {
    let number = Protector(1)
    // These functions compile only if the protector's functions preserve the type of the thrown error.
    func read() throws(Failure) -> Int {
      try number.withReadLock { value throws(Failure) -> Int in throw .expected(value) }
    }
    func write() throws(Failure) {
      try number.withWriteLock { value throws(Failure) in
        value = 7
        throw .expected(value)
      }
    }
    #expect(throws: Failure.expected(1)) { try read() }
    #expect(throws: Failure.expected(7)) { try write() }
    // After an error, the lock must be released, and changes that were made before the error must stay.
    #expect(onAnotherThread { number.withWriteLock { $0 } } == 7)
  }

  @Test func readersMeetInsideTheirSections() {
    let number = Protector(3)
    let meeting = MeetingPoint(parties: 4)
    let seen = race(threads: 4) { _ in
      number.withReadLock { value in
        reportActivity("waits for the other readers, inside its section")
        meeting.meet()
        return value
      }
    }
    #expect(seen == [3, 3, 3, 3])
  }

  @Test func noIncrementIsLost() {
    let count = Protector(0)
    let rounds = StressSize.pick(quick: 3_000, full: 100_000)
    race(threads: 4) { _ in
      for _ in 0..<rounds {
        count.withWriteLock { $0 += 1 }
      }
    }
    #expect(count.withReadLock { $0 } == 4 * rounds)
  }

  @Test func sectionsOfTwoProtectorsNest() {
    let source = Protector([1, 2, 3])
    let target = Protector<[Int]>([])
    source.withReadLock { numbers in
      target.withWriteLock { $0 = numbers }
    }
    #expect(target.withReadLock { $0 } == [1, 2, 3])
  }

  @Test func anotherLockCanBeChosen() {
    let spinning = LockProtector("a", lock: SpinReadWriteLock())
    let posix = LockProtector("b", lock: PosixReadWriteLock())
    let dispatch = LockProtector("c", lock: DispatchReadWriteLock())
    spinning.withWriteLock { $0 += "!" }
    posix.withWriteLock { $0 += "!" }
    dispatch.withWriteLock { $0 += "!" }
    let texts = [spinning.withReadLock { $0 }, posix.withReadLock { $0 }, dispatch.withReadLock { $0 }]
    #expect(texts == ["a!", "b!", "c!"])
  }
}
