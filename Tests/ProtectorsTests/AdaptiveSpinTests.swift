import InterlockCore
import TestSupport
import Testing

@testable import Protectors

/// Tests `AdaptiveSpin`, which decides how long a waiting thread spins before it sleeps.
@Suite(.enabled(if: Processors.count > 1, "with one processor nobody looks"))
struct AdaptiveSpinTests {
  private typealias Outcome = AdaptiveSpin.Attempt.Outcome

  /// Simulates a wait with the given outcome.
  ///
  /// - Returns: The limits of the spin: how often the waiting thread checks for a notification before it
  ///   first yields (`short`), and how often after that (`long`).
  @discardableResult
  private func wait(_ spin: inout AdaptiveSpin, _ outcome: Outcome) -> (short: Int, long: Int) {
    var attempt = spin.begin()
    attempt.outcome = outcome
    spin.end(attempt)
    return (attempt.checksBeforeYield, attempt.checksAfterYield)
  }

  /// Simulates waits that end in a sleep, and returns how many of them precede the next long spin.
  ///
  /// A long spin continues after the first yield. Returns `.max` if none of 10 000 waits has one.
  private func sleepsBeforeLongTry(_ spin: inout AdaptiveSpin) -> Int {
    for sleeps in 0..<10_000 where wait(&spin, .slept).long > 0 {
      return sleeps
    }
    return .max
  }

  @Test("Writers of a protector that wait for a predicate learn not to spin if spinning does not help")
  func writersLearn() {
    let number = Protector(0)
    // A wait whose notification arrives before the writer sleeps does not count as a failed spin. The test
    // therefore repeats the wait, up to 100 times.
    let hasLearned = (1...100).contains { round in
      let isWaiting = RelaxedFlag()
      concurrently(
        {
          let isNext: @Sendable (Int) -> Bool = {
            isWaiting.set()
            return $0 == round
          }
          number.withWriteLock(waitingUntil: isNext) { _ in }
        },
        {
          while !isWaiting.isSet { PlatformThread.yield() }
          MonotonicClock.sleep(.milliseconds(2))
          number.withWriteLock { $0 = round }
        })
      return number.withWriteLock { _ in
        var spin = number.adaptiveSpin
        return spin.begin().checksBeforeYield == 0
      }
    }
    #expect(hasLearned)
  }

  @Test func twoSpinsInVainEndTheSpinning() {
    var spin = AdaptiveSpin()
    #expect(wait(&spin, .slept).short > 0)
    #expect(wait(&spin, .slept).short > 0)
    #expect(wait(&spin, .slept) == (0, 0))
  }

  @Test func yieldsThatHelpEndTheSpinning() {
    var spin = AdaptiveSpin()
    wait(&spin, .notifiedWhileYielding)
    wait(&spin, .notifiedWhileYielding)
    // Long spins begin only after sleeps. No wait in this test ends in a sleep, so none has a long spin.
    for _ in 0..<2_000 { #expect(wait(&spin, .notifiedWhileYielding) == (0, 0)) }
  }

  @Test func aSpinIsAsLongAsEarlierOnesWere() {
    var spin = AdaptiveSpin()
    for _ in 0..<100 { wait(&spin, .notified(checks: 2)) }
    let few = wait(&spin, .notified(checks: 2)).short
    for _ in 0..<100 { wait(&spin, .notified(checks: 50)) }
    let many = wait(&spin, .notified(checks: 50)).short
    for _ in 0..<100 { wait(&spin, .notified(checks: 128)) }
    let most = wait(&spin, .notified(checks: 128)).short
    #expect((2...16).contains(few))
    #expect((50...128).contains(many))
    #expect(most == 128)
  }

  @Test func longSpinsFollowSleepsAndBecomeRarer() {
    var spin = AdaptiveSpin()
    let gaps = (0..<9).map { _ in sleepsBeforeLongTry(&spin) }
    // The intervals between long spins double from 8 sleeps to 256. A failed long spin also ends in a sleep,
    // which `sleepsBeforeLongTry` does not count. Every number after the first is therefore one less.
    #expect(gaps == [8, 15, 31, 63, 127, 255, 255, 255, 255])
  }

  @Test func aLongSpinThatFindsAPartnerIsFollowedByOthers() {
    var spin = AdaptiveSpin()
    for _ in 0..<8 { wait(&spin, .slept) }
    let tries = (0..<5).map { _ in wait(&spin, .notified(checks: 700)).long > 0 }
    #expect(tries == [true, true, true, true, false])
    #expect(wait(&spin, .slept) == (0, 0))
  }

  @Test func aPartnerThatAnswersImmediatelyEndsTheLongSpins() {
    var spin = AdaptiveSpin()
    for _ in 0..<8 { wait(&spin, .slept) }
    wait(&spin, .notified(checks: 700))
    wait(&spin, .notified(checks: 3))
    let next = spin.begin()
    #expect(next.checksAfterYield == 0)
    #expect(next.checksBeforeYield > 0)
  }

  @Test func aPartnerOnTheSameProcessorEndsTheLongSpins() {
    var spin = AdaptiveSpin()
    for _ in 0..<8 { wait(&spin, .slept) }
    #expect(wait(&spin, .notifiedWhileYielding).long > 0)
    #expect(wait(&spin, .notifiedWhileYielding) == (0, 0))
  }

  @Test func partnersThatAnswerImmediatelyBringLongSpinsBack() {
    var spin = AdaptiveSpin()
    for _ in 0..<9 { _ = sleepsBeforeLongTry(&spin) }
    for _ in 0..<5 { wait(&spin, .notified(checks: 3)) }
    #expect(sleepsBeforeLongTry(&spin) < 10)
  }
}
