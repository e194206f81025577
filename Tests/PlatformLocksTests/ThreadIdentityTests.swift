import PlatformLocks
import TestSupport
import Testing

@Suite struct ThreadIdentityTests {
  @Test func liveThreadsHaveDifferentNumbers() {
    let count = 64
    let meeting = MeetingPoint(parties: count)
    let numbers = race(threads: count) { _ in
      let number = ThreadIdentity.current
      // Nobody ends before everybody has a number.
      meeting.meet()
      return number
    }
    #expect(Set(numbers).count == count)
    #expect(!numbers.contains(ThreadIdentity.current), "the thread of the test is alive, too")
  }

  @Test func aThreadKeepsItsNumber() {
    let meeting = MeetingPoint(parties: 8)
    let isStable = race(threads: 8) { _ in
      let number = ThreadIdentity.current
      meeting.meet()
      return ThreadIdentity.current == number
    }
    #expect(isStable.allSatisfy { $0 })
  }

  @Test func numbersFitBesideFlagsAndAreNotZero() {
    let numbers = race(threads: 16) { _ in ThreadIdentity.current }
    #expect(numbers.allSatisfy { $0 != 0 && $0 <= ThreadIdentity.mask })
    #expect(ThreadIdentity.mask == 0x03ff_ffff)
  }
}
