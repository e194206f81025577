import InterlockCore
import ReadWriteLocks
import TestSupport
import Testing

@testable import Protectors

/// Tests `withWriteLocks(_:_:_:)` and `withWriteLocks(_:_:)`.
@Suite struct WriteLocksTests {
  private enum Failure: Error, Equatable {
    case expected(Int)
  }

  @Test func bothValuesChangeTogether() {
    final class Box {
      var number = 1
    }
    let ann = Protector(100)
    let box = ExclusiveProtector(Box())
    let total: Int = withWriteLocks(ann, box) { ann, box in
      ann -= 30
      box.number += 30
      return ann + box.number
    }
    #expect(total == 101)
    #expect(ann.value == 70)
    #expect(box.withLock { $0.number } == 31)
  }

  @Test func noncopyableValuesCanChangePlaces() {
    let lifetimes = Lifetimes()
    let first = Protector(TrackedToken(lifetimes, number: 1))
    let second = Protector(TrackedToken(lifetimes, number: 2))
    withWriteLocks(first, second) { first, second in swap(&first, &second) }
    let numbers = [first.withReadLock { $0.number }, second.withReadLock { $0.number }]
    #expect(numbers == [2, 1])
    #expect(lifetimes.alive == 2)
  }

  /// A call of `acquireTogether` that acquires its second lock at the fourth attempt.
  private struct Call {
    /// The timeouts of its attempts.
    var timeouts: [Duration] = []
    /// How long the first attempt waited for the second lock alone.
    var waited = Duration.zero
    /// When the second attempt had its first lock.
    var began: UInt64 = 0

    static var impatient: Duration { .milliseconds(1) }

    /// Whether the second attempt was patient, and the ones beside it weren't.
    var isPatient: Bool {
      timeouts[0] == Self.impatient && timeouts[1] > Self.impatient && timeouts[2] == Self.impatient
    }

    /// Whether the second attempt's timeout has not passed: on a busy machine it may.
    var isOnTime: Bool { .nanoseconds(Deadline.now - began) < timeouts[1] }

    /// - Parameters:
    ///   - time: How long the first attempt waits for the second lock alone, besides `whileWaiting`.
    ///   - beforeSecondAttempt: Runs while the second attempt waits for the first lock.
    ///   - whilePatient: Runs while the second attempt waits for the second lock.
    init(
      waiting time: Duration = .milliseconds(4), whileWaiting: () -> Void = {},
      beforeSecondAttempt: () -> Void = {}, whilePatient: (Call) -> Void = { _ in }
    ) {
      acquireTogether(
        count: 2,
        acquire: { index, timeout, _ in
          if let timeout {
            timeouts.append(timeout)
            if timeouts.count == 2 { whilePatient(self) }
            return timeouts.count == 4
          }
          if timeouts.count != 1 { return true }
          if index == 1 {
            let began = Deadline.now
            whileWaiting()
            MonotonicClock.sleep(time)
            waited = .nanoseconds(Deadline.now - began)
          } else {
            beforeSecondAttempt()
            began = Deadline.now
          }
          return true
        },
        giveUp: { _ in })
    }
  }

  /// Calls `body` until it returns `true`: on a busy machine a turn may pass early.
  private static func atSomeTime(_ body: () -> Bool) -> Bool {
    (0..<200).contains { _ in body() }
  }

  /// A call that gave up waits for twice as long as it has waited, once, while no other call does so.
  ///
  /// Once each of several calls waited for twice the longest timeout of the others, up to minutes. And calls beside
  /// readers gave up 25 times in a row, each just before the readers' sections ended: the time until then did not
  /// count.
  @Test func oneCallAtATimeIsPatient() async {
    // In a process of its own: calls of other tests may be patient at any time.
    await #expect(processExitsWith: .success) {
      var call = Call()
      var other = call
      var isOnTime = false
      #expect(
        Self.atSomeTime {
          call = Call(whilePatient: {
            other = Call()
            isOnTime = $0.isOnTime
          })
          return call.isPatient && isOnTime
        })
      #expect(call.timeouts[1] >= (Call.impatient + call.waited) * 2)
      #expect(other.timeouts == Array(repeating: Call.impatient, count: 4))
      #expect(
        Self.atSomeTime {
          call = Call(whileWaiting: { other = Call() })
          return other.isPatient
        })
      #expect(call.timeouts[1] == Call.impatient, "the call counts its wait for a patient one")
      #expect(
        Self.atSomeTime {
          (call, other, isOnTime) = Self.patientCallBesideAttempt()
          return other.isPatient && isOnTime
        })
      #expect(call.timeouts[1] == Call.impatient, "two calls are patient")
    }
  }

  /// Returns a call, another one that was patient when the first one began its second attempt, and whether it was on
  /// time then.
  private static func patientCallBesideAttempt() -> (Call, Call, Bool) {
    let isMeasured = RelaxedFlag()
    let isPatient = RelaxedFlag()
    let isOver = RelaxedFlag()
    @Sendable func wait(for flag: RelaxedFlag) {
      while !flag.isSet { PlatformThread.yield() }
    }
    let calls = race(threads: 2) { index in
      var isOnTime = false
      let call: Call
      if index == 0 {
        call = Call(
          beforeSecondAttempt: {
            isMeasured.set()
            wait(for: isPatient)
          }, whilePatient: { _ in isOver.set() })
      } else {
        wait(for: isMeasured)
        call = Call(whilePatient: {
          isPatient.set()
          wait(for: isOver)
          isOnTime = $0.isOnTime
        })
      }
      return (call, isOnTime)
    }
    return (calls[0].0, calls[1].0, calls[1].1)
  }

  /// A call that waits without a limit keeps no other one from being patient.
  ///
  /// Once it had its turn before it waited for its first lock, and others starved beside busy readers.
  @Test func aCallIsPatientOnlyWithItsFirstLock() async {
    await #expect(processExitsWith: .success) {
      #expect(
        Self.atSomeTime {
          var other = Call()
          let call = Call(beforeSecondAttempt: { other = Call() })
          return call.isPatient && other.isPatient
        })
    }
  }

  /// The turn ends with the attempt, and otherwise after its time: after a fork, the child may have no thread that
  /// would end it.
  @Test func aPatientTurnEnds() async {
    await #expect(processExitsWith: .success) {
      #expect(
        Self.atSomeTime {
          let call = Call(waiting: .milliseconds(200))
          return call.isPatient && Call().isPatient && call.isOnTime
        })
      #expect(
        Self.atSomeTime {
          var other = Call()
          let call = Call(whilePatient: {
            while $0.isOnTime { MonotonicClock.sleep($0.timeouts[1]) }
            other = Call()
          })
          return call.isPatient && other.isPatient
        })
    }
  }

  @Test func anyNumberOfValuesChangesTogether() {
    let protectors = (0..<5).map { LockProtector(["\($0)"], lock: CompactReadWriteLock()) }
    let joined: String = withWriteLocks(protectors) { values in
      for index in values.indices { values[index].append("x") }
      values.reverse()
      return values.map { $0[0] }.joined()
    }
    #expect(joined == "43210")
    #expect(protectors.map(\.value) == (0..<5).map { ["\(4 - $0)", "x"] })
    let nothing: [Protector<Int>] = []
    #expect(withWriteLocks(nothing) { $0.count } == 0)
  }

  @Test func errorsPassThroughAndChangesStay() {
    let first = Protector(1)
    let second = Protector(2)
    func failWithTwo() throws(Failure) {
      try withWriteLocks(first, second) { first, second throws(Failure) in
        swap(&first, &second)
        throw .expected(first)
      }
    }
    func failWithAll() throws(Failure) {
      try withWriteLocks([first, second]) { values throws(Failure) in
        values[0] = 7
        throw .expected(values[1])
      }
    }
    #expect(throws: Failure.expected(2)) { try failWithTwo() }
    #expect(throws: Failure.expected(1)) { try failWithAll() }
    #expect([first.value, second.value] == [7, 1])
  }

  @Test(arguments: [2, 3])
  func writeLocksServeTheWaitersOfBothProtectors(count: Int) {
    for _ in 0..<StressSize.pick(quick: 100, full: 5_000) {
      let numbers = (0..<3).map { _ in Protector(0) }
      let seen = race(threads: 4) { index -> Int in
        if index == 3 {
          MonotonicClock.sleep(.microseconds(20))
          if count == 2 {
            numbers[2].exchange(1)
            withWriteLocks(numbers[0], numbers[1]) { ($0, $1) = (1, 1) }
          } else {
            withWriteLocks(numbers) { $0 = [1, 1, 1] }
          }
          return 1
        }
        return index == 0
          ? numbers[index].withReadLock(waitingUntil: { $0 == 1 }) { $0 }
          : numbers[index].withWriteLock(waitingUntil: { $0 == 1 }) { $0 }
      }
      #expect(seen == [1, 1, 1, 1])
    }
  }
}
