import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a protector destroys its value exactly once: when the value is replaced, or with the protector.
@Suite struct LockProtectorLifetimeTests {
  @Test func theValueIsDestroyedWithTheProtector() {
    let lifetimes = Lifetimes()
    do {
      let object = Protector(Tracked(lifetimes))
      #expect(object.withReadLock { $0.number } == 0)
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.made == 1)
    #expect(lifetimes.destroyed == 1)
  }

  @Test func aNoncopyableValueIsDestroyedWithTheProtector() {
    let lifetimes = Lifetimes()
    do {
      let token = ExclusiveProtector(TrackedToken(lifetimes, number: 3))
      #expect(token.withLock { $0.number } == 3)
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.made == 1)
    #expect(lifetimes.destroyed == 1)
  }

  @Test func aReplacedValueIsDestroyedOnce() {
    let lifetimes = Lifetimes()
    do {
      let object = Protector(Tracked(lifetimes, number: 0))
      for number in 1...10 {
        object.withWriteLock { $0 = Tracked(lifetimes, number: number) }
        #expect(lifetimes.alive == 1)
      }
    }
    #expect(lifetimes.made == 11)
    #expect(lifetimes.destroyed == 11)
  }

  @Test func aValueThatWasReadOutOutlivesTheProtector() {
    let lifetimes = Lifetimes()
    do {
      let object: Tracked
      do {
        let protector = Protector(Tracked(lifetimes, number: 4))
        object = protector.withReadLock { $0 }
      }
      #expect(lifetimes.alive == 1)
      #expect(object.number == 4)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anErrorLeavesTheValueInPlace() {
    struct Failure: Error {}
    let lifetimes = Lifetimes()
    do {
      let object = Protector(Tracked(lifetimes))
      #expect(throws: Failure.self) {
        try object.withWriteLock { value in
          value = Tracked(lifetimes, number: 1)
          throw Failure()
        }
      }
      #expect(lifetimes.alive == 1)
      #expect(object.withReadLock { $0.number } == 1)
    }
    #expect(lifetimes.alive == 0)
  }

  /// The last of three threads that release a protector after a write section must destroy the value, exactly
  /// once.
  @Test func theLastThreadDestroysTheValueOnce() {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 200, full: 10_000)
    for _ in 0..<rounds {
      let shared = Unguarded<Protector<Tracked>?>(Protector(Tracked(lifetimes)))
      let meeting = MeetingPoint(parties: 3)
      race(threads: 3) { index in
        var mine = shared.value
        meeting.meet()
        if index == 0 { shared.value = nil }
        mine?.withWriteLock { $0 = Tracked(lifetimes, number: index) }
        mine = nil
      }
    }
    #expect(lifetimes.made == 4 * rounds)
    #expect(lifetimes.alive == 0)
  }
}
