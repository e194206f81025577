import Protectors
import LocksUnderTest
import TestSupport
import Testing

@Suite(.serialized) struct LockProtectorStressTests {
  /// The last of several threads that release a protector must destroy it, exactly once.
  ///
  /// Each thread releases the protector right after its last section.
  @Test(arguments: ProtectorUnderTest.allCases)
  func theLastOfSeveralThreadsDestroysAProtectorAndItsValue(stressed: ProtectorUnderTest) {
    let lifetimes = Lifetimes()
    let rounds = StressSize.pick(quick: 300, full: 30_000)
    let threads = 4
    let meeting = MeetingPoint(parties: threads)
    let shared = Unguarded<(any ProtectedValue<Tracked>)?>(nil)
    race(threads: threads) { index in
      for round in 0..<rounds {
        if index == 0 { shared.value = stressed.protect(Tracked(lifetimes)) }
        meeting.meet()
        let mine = shared.value
        meeting.meet()
        // After this assignment only the threads' own references keep the protector alive.
        if index == 0 { shared.value = nil }
        mine?.withWriteLock { $0 = Tracked(lifetimes, number: round) }
      }
    }
    #expect(lifetimes.made == (threads + 1) * rounds)
    #expect(lifetimes.alive == 0)
  }
}
