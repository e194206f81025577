import Protectors
import ReadWriteLocks
import TestSupport
import Testing

@Suite struct LockProtectorTests {
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

  @Test func readersOfANoncopyableValueMeetInsideTheirSections() {
    let token = Protector(TrackedToken(Lifetimes(), number: 3))
    let meeting = MeetingPoint(parties: 4)
    let seen = race(threads: 4) { _ in
      token.withReadLock { token in
        meeting.meet()
        return token.number
      }
    }
    #expect(seen == [3, 3, 3, 3])
  }
}
