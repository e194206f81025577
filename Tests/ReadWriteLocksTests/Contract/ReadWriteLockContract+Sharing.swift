import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

extension ReadWriteLockContract {
  /// The lock must admit all readers together, also after they have written: they wait for one another inside
  /// their sections, and would hang otherwise.
  @Test(arguments: LockUnderTest.sharing, [2, 16])
  func readersMeetInsideTheirSections(candidate: LockUnderTest, readers: Int) {
    let lock = candidate.make()
    let meeting = MeetingPoint(parties: readers)
    let writes = Unguarded(0)
    race(threads: readers) { _ in
      for round in 0..<80 {
        if round.isMultiple(of: 2) { lock.withWriteLock { writes.value += 1 } }
        // Waits until all threads have left their sections before they meet as readers, because a waiting writer
        // may keep readers out.
        meeting.meet()
        lock.withReadLock {
          meeting.meet()
        }
      }
    }
    #expect(writes.value == readers * 40)
    #expect(onAnotherThread { lock.withWriteLock { true } })
  }

  @Test(arguments: LockUnderTest.exclusive)
  func exclusiveReadersNeverMeet(candidate: LockUnderTest) {
    let lock = candidate.make()
    let inside = RelaxedCounter()
    let count = Unguarded(0)
    let rounds = StressSize.pick(quick: 2_000, full: 50_000)
    let meetings = race(threads: 4) { _ -> Int in
      var meetings = 0
      for round in 0..<rounds {
        lock.withReadLock {
          if inside.add(1) != 1 { meetings += 1 }
          // This plain variable may be changed in a read section, because the readers of this lock exclude
          // one another.
          count.value += 1
          if round % 8 == 0 { PlatformThread.yield() }
          inside.add(-1)
        }
      }
      return meetings
    }
    #expect(meetings.allSatisfy { $0 == 0 })
    #expect(count.value == 4 * rounds)
  }
}
