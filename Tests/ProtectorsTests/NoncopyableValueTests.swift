import Protectors
import TestSupport
import Testing

/// Tests protectors of values that can't be copied.
@Suite struct NoncopyableValueTests {
  @Test func aNoncopyableValueIsReadInPlace() {
    let lifetimes = Lifetimes()
    let token = Protector(TrackedToken(lifetimes, number: 5))
    #expect(token.withReadLock { $0.number } == 5)
    #expect(lifetimes.made == 1)
    #expect(lifetimes.alive == 1)
  }

  @Test func aNoncopyableValueIsReplaced() {
    let lifetimes = Lifetimes()
    let token = Protector(TrackedToken(lifetimes, number: 1))
    token.withWriteLock { $0 = TrackedToken(lifetimes, number: 2) }
    #expect(token.withReadLock { $0.number } == 2)
    #expect(lifetimes.made == 2)
    #expect(lifetimes.alive == 1)
  }

  @Test func aNoncopyableValueIsExchanged() {
    let lifetimes = Lifetimes()
    let token = ExclusiveProtector(TrackedToken(lifetimes, number: 1))
    do {
      let old = token.withLock { value in
        var other = TrackedToken(lifetimes, number: 2)
        swap(&value, &other)
        return other
      }
      let number = old.number
      #expect(number == 1)
      #expect(lifetimes.alive == 2)
    }
    #expect(lifetimes.alive == 1)
    #expect(token.withLock { $0.number } == 2)
  }

  @Test func readersMeetOverANoncopyableValue() {
    let token = Protector(TrackedToken(Lifetimes(), number: 9))
    let meeting = MeetingPoint(parties: 3)
    let seen = race(threads: 3) { _ in
      token.withReadLock { token in
        meeting.meet()
        return token.number
      }
    }
    #expect(seen == [9, 9, 9])
  }
}
