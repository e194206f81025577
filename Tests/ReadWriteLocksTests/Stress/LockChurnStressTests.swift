import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests locks and threads with short lives.
@Suite(.serialized) struct LockChurnStressTests {
  /// A lock must exclude threads even if it is made at the address of a destroyed lock.
  ///
  /// All threads that use a lock drop their references to the lock at about the same time, and the last one
  /// destroys it.
  @Test(arguments: LockUnderTest.all)
  func theLastOfSeveralThreadsDestroysALock(stressed: LockUnderTest) {
    let rounds = StressSize.pick(quick: 200, full: 20_000)
    let threads = 4
    let meeting = MeetingPoint(parties: threads)
    let shared = Unguarded<(lock: any ReadWriteLock, twins: Twins)?>(nil)
    let catches = race(threads: threads) { index -> Int in
      var catches = 0
      for _ in 0..<rounds {
        if index == 0 { shared.value = (stressed.make(), Twins()) }
        meeting.meet()
        let mine = shared.value
        meeting.meet()
        // After this assignment only the threads' own references keep the lock alive.
        if index == 0 { shared.value = nil }
        guard let (lock, twins) = mine else { return -1 }
        lock.withWriteLock { twins.change() }
        lock.withReadLock { if !twins.agree() { catches += 1 } }
      }
      return catches
    }
    #expect(catches.allSatisfy { $0 == 0 })
  }

  @Test(arguments: LockUnderTest.all)
  func shortLivedThreadsExcludeOneAnother(stressed: LockUnderTest) {
    let lock = stressed.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 60, full: 5_000)
    var catches = 0
    for round in 0..<rounds {
      catches += race(threads: 6) { index -> Int in
        if (index + round).isMultiple(of: 3) {
          lock.withWriteLock { twins.change(pause: PlatformThread.yield) }
          return 0
        }
        return lock.withReadLock { twins.agree(pause: PlatformThread.yield) } ? 0 : 1
      }.reduce(0, +)
    }
    #expect(catches == 0)
    #expect(twins.count == 2 * rounds)
  }
}
