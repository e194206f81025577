import CForking
import InterlockCore
import TestSupport
import Testing

@Suite struct ThreadIdentityTests {
  @Test func liveThreadsHaveDifferentNumbers() {
    let count = 64
    let meeting = MeetingPoint(parties: count)
    let numbers = race(threads: count) { _ in
      let number = ThreadIdentity.current
      // A number is reused after its thread has ended, so no thread may end before all threads have a number.
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
    #expect(ThreadIdentity.mask == 0x01ff_ffff)
  }

  // MARK: After a fork

  /// The result of a test in a child process: 0, or the number of the first expectation that failed.
  private typealias Finding = Int32

  @Test func aForkedChildKeepsItsThreadsNumberAndGivesItToNoOther() {
    _ = ThreadIdentity.current
    let finding = in_forked_child {
      let kept = ThreadIdentity.current
      let system = ThreadIdentity.systemNumber
      if kept == system { return 1 }
      return Self.check(kept: kept, of: system)
    }
    #expect(finding == 0)
  }

  @Test func aChildOfAChildKeepsTheNumber() {
    _ = ThreadIdentity.current
    let finding = in_forked_child {
      in_forked_child {
        Self.check(kept: ThreadIdentity.current, of: ThreadIdentity.systemNumber)
      }
    }
    #expect(finding == 0)
  }

  /// Checks in a forked child that its thread keeps its number, and that no other thread gets this number.
  ///
  /// A thread of the parent may have held a lock of the allocator or of Swift's runtime at the fork, and no
  /// thread of the child unlocks it. For that reason, this function must not allocate memory or use a generic
  /// type.
  ///
  /// - Parameters:
  ///   - kept: The number that the thread had before the fork.
  ///   - system: The number that the system has given the child's thread.
  private static func check(kept: UInt32, of system: UInt32) -> Finding {
    if ThreadIdentity.number(ofThreadNumbered: system) != kept { return 2 }
    // The system may give a new thread the system number `kept`. `ThreadIdentity` must map it to another
    // number, because this thread already has the number `kept`.
    if ThreadIdentity.number(ofThreadNumbered: kept) == kept { return 3 }
    // In the child, `number(ofThreadNumbered:)` maps two numbers to each other, and all other numbers to
    // themselves. If applying it twice returns each number, no two threads have the same number.
    var thread: UInt32 = 1
    while thread < 100_000 {
      let number = ThreadIdentity.number(ofThreadNumbered: thread)
      if ThreadIdentity.number(ofThreadNumbered: number) != thread { return 4 }
      thread += 1
    }
    return 0
  }
}
