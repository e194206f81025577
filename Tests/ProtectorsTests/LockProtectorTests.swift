import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests noncopyable values and results.
@Suite struct LockProtectorTests {
  @Test func noncopyableResultsPassThrough() {
    let lifetimes = Lifetimes()
    let number = Protector(5)
    do {
      let read = number.withReadLock { TrackedToken(lifetimes, number: $0) }
      let written = number.withWriteLock { TrackedToken(lifetimes, number: $0 + 1) }
      guard
        let timed = unlessTimedOut({
          try number.withWriteLock(timeout: .zero) { TrackedToken(lifetimes, number: $0 + 2) }
        }),
        let tried = number.withReadLockIfAvailable({ TrackedToken(lifetimes, number: $0 + 3) })
      else {
        Issue.record("a free protector was not available")
        return
      }
      let numbers = [read.number, written.number, timed.number, tried.number]
      #expect(numbers == [5, 6, 7, 8])
    }
    #expect(lifetimes.made == 4)
    #expect(lifetimes.alive == 0)
  }

  /// The value is destroyed exactly once: when it is replaced, or with the protector.
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
}
