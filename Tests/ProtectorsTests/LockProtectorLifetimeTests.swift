import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests that a protector destroys its value exactly once: when the value is replaced, or with the protector.
@Suite struct LockProtectorLifetimeTests {
  @Test func aNoncopyableValueIsReadInPlaceAndDestroyedOnce() {
    let lifetimes = Lifetimes()
    do {
      let token = Protector(TrackedToken(lifetimes, number: 1))
      #expect(token.withReadLock { $0.number } == 1)
      #expect(lifetimes.made == 1)
      token.withWriteLock { $0 = TrackedToken(lifetimes, number: 2) }
      #expect(token.withReadLock { $0.number } == 2)
      #expect(lifetimes.alive == 1)
    }
    #expect(lifetimes.made == 2)
    #expect(lifetimes.destroyed == 2)
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
}
