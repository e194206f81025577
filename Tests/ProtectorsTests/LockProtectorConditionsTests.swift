import Protectors
import ReadWriteLocks
import TestSupport
import Testing

/// Tests `withWriteLock(when:_:)`.
@Suite struct LockProtectorConditionsTests {
  private struct Failure: Error, Equatable {
    var number: Int
  }

  @Test func theBodyRunsIfThePredicateHolds() {
    let number = Protector(1)
    let result = number.withWriteLock(when: { $0 == 1 }) { value in
      value = 2
      return "was 1"
    }
    let other = number.withWriteLock(when: { $0 == 1 }) { value in
      value = 3
      return "was 1 again"
    }
    #expect(result == "was 1")
    #expect(other == nil)
    #expect(number.snapshot == 2)
  }

  @Test func predicatesOfSeveralThreadsAreEvaluatedTogether() {
    let number = Protector(1)
    let meeting = MeetingPoint(parties: 3)
    let results = race(threads: 3) { _ in
      number.withWriteLock(
        when: { _ in
          reportActivity("waits for the other predicates, inside its own")
          meeting.meet()
          return false
        }
      ) { _ in true }
    }
    #expect(results == [nil, nil, nil])
  }

  /// `withWriteLock(when:)` evaluates the predicate twice if the first result is `true`.
  ///
  /// Another thread can change the value between the two evaluations, so the second result decides.
  @Test func thePredicateIsEvaluatedAgainBeforeTheBody() {
    let number = Protector(1)
    let meeting = MeetingPoint(parties: 4)
    let taken = race(threads: 4) { _ in
      var looks = 0
      return number.withWriteLock(
        when: { value in
          looks += 1
          // The threads wait for one another in their first evaluation, so each finds the predicate true
          // before any of them writes.
          if looks == 1 { meeting.meet() }
          return value > 0
        }
      ) { value in
        value -= 1
        return looks
      }
    }
    #expect(taken.compactMap { $0 } == [2])
    #expect(number.snapshot == 0)
  }

  @Test func errorsAndNoncopyableResultsPassThrough() {
    let lifetimes = Lifetimes()
    let number = Protector(1)
    func write() throws(Failure) {
      _ = try number.withWriteLock(when: { $0 == 1 }) { value throws(Failure) in
        value = 2
        throw Failure(number: value)
      }
    }
    #expect(throws: Failure(number: 2)) { try write() }
    #expect(number.snapshot == 2)
    guard let token = number.withWriteLock(when: { $0 == 2 }, { TrackedToken(lifetimes, number: $0) }) else {
      Issue.record("the predicate holds")
      return
    }
    let seen = token.number
    #expect(seen == 2)
  }

  @Test func whenTakesValuesThatAreNotSendableOrNotCopyable() {
    final class Box {
      var number = 1
    }
    let box = ExclusiveProtector(Box())
    #expect(box.withWriteLock(when: { $0.number == 1 }) { $0.number = 2 })
    #expect(box.withWriteLock(when: { $0.number == 2 }) { $0.number } == 2)

    let token = Protector(TrackedToken(Lifetimes(), number: 7))
    #expect(token.withWriteLock(when: { $0.number == 7 }) { $0.number } == 7)
    #expect(token.withWriteLock(when: { $0.number == 8 }) { $0.number } == nil)
  }

  @Test func whenWorksWithEachLock() {
    let dispatch = LockProtector(1, lock: DispatchReadWriteLock())
    let posix = LockProtector(1, lock: PosixReadWriteLock())
    #expect(dispatch.withWriteLock(when: { $0 == 1 }) { $0 } == 1)
    #expect(dispatch.withWriteLock(when: { $0 == 2 }) { $0 } == nil)
    #expect(posix.withWriteLock(when: { $0 == 1 }) { $0 } == 1)
    #expect(posix.withWriteLock(when: { $0 == 2 }) { $0 } == nil)
  }
}
