import Protectors
import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Searches for lost wake-ups: a thread that is not woken hangs, and the watchdog reports it.
@Suite(.serialized) struct WaitingStressTests {
  /// No wake-up may be lost while three threads take turns to write.
  ///
  /// Each thread sleeps after its turn, so that the waiting threads sleep in the kernel.
  @Test func threeThreadsTakeTurnsAndPauseBetweenThem() {
    let turn = Protector(0)
    let rounds = StressSize.pick(quick: 300, full: 20_000)
    race(threads: 3) { player in
      for _ in 0..<rounds {
        turn.withWriteLock(waitingUntil: { $0 == player }) { $0 = (player + 1) % 3 }
        MonotonicClock.sleep(.microseconds(20))
      }
    }
    #expect(turn.value == 0)
  }

  /// 16 threads wait, with and without timeouts, for predicates that alternate between true and false.
  ///
  /// No thread may hang, time out early, or run its body while its predicate is false.
  @Test(arguments: ProtectorUnderTest.waiting)
  func noWakeUpIsLostWhilePredicatesAlternate(stressed: ProtectorUnderTest) {
    struct State: Sendable {
      var permits = 3
      var phase = 0
      var taken = 0
      var returned = 0
    }
    struct Outcome: Sendable {
      var taken = 0
      var early = 0
      var wrong = 0
    }
    let threads = 16
    let rounds = StressSize.pick(quick: 300, full: 125_000)
    let state = stressed.protectForWaits(State())
    let outcomes = race(threads: threads) { index -> Outcome in
      var random = Seed.current.generator(stream: index)
      var outcome = Outcome()
      for _ in 0..<rounds {
        let limit = Duration.nanoseconds(Int(random.next() % 200_000))
        let start = MonotonicClock.now
        func timedOut() {
          if .nanoseconds(MonotonicClock.now - start) < limit { outcome.early += 1 }
        }
        func giveBack() {
          state.withWriteLock { state in
            state.permits += 1
            state.returned += 1
            state.phase += 1
          }
        }
        let choice = random.next() % 5
        switch choice {
        case 0, 1:
          let isTimed = choice == 1
          let permits = state.withWriteLock(
            waitingUntil: { $0.permits > 0 }, timeout: isTimed ? limit : nil
          ) { state in
            state.permits -= 1
            state.taken += 1
            return state.permits
          }
          guard let permits else {
            if isTimed { timedOut() } else { outcome.wrong += 1 }
            continue
          }
          if permits < 0 { outcome.wrong += 1 }
          outcome.taken += 1
          giveBack()
        case 2, 3:
          let parity = Int(random.next() % 2)
          let isRight: @Sendable (borrowing State) -> Bool = { $0.phase % 2 == parity }
          let phase =
            choice == 2
            ? state.withWriteLock(waitingUntil: isRight, timeout: limit) { state in
              state.phase += 1
              return state.phase - 1
            } : state.withReadLock(waitingUntil: isRight, timeout: limit) { $0.phase }
          guard let phase else {
            timedOut()
            continue
          }
          if phase % 2 != parity { outcome.wrong += 1 }
        default:
          let isRight = state.withReadLock { $0.permits == 3 - ($0.taken - $0.returned) && $0.permits >= 0 }
          if !isRight { outcome.wrong += 1 }
        }
      }
      return outcome
    }
    let end = state.withReadLock { $0 }
    #expect(outcomes.allSatisfy { $0.wrong == 0 }, "\(Seed.current)")
    #expect(outcomes.allSatisfy { $0.early == 0 }, "a timeout was early; \(Seed.current)")
    #expect(end.permits == 3)
    #expect(end.taken == outcomes.reduce(0) { $0 + $1.taken })
    #expect(end.taken == end.returned)
  }
}
