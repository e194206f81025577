import PlatformLocks
import Testing

@testable import Protectors

/// How often threads look before they sleep, as a value.
@Suite(.enabled(if: Processors.count > 1, "with one processor nobody looks"))
struct PatienceTests {
  private typealias Outcome = Patience.Attempt.Outcome

  /// A wait with this outcome.
  ///
  /// - Returns: How often the thread was to look, before the yield and after it.
  @discardableResult
  private func wait(_ patience: inout Patience, _ outcome: Outcome) -> (short: Int, long: Int) {
    var attempt = patience.begin()
    attempt.outcome = outcome
    patience.end(attempt)
    return (attempt.shortLooks, attempt.longLooks)
  }

  /// How many sleeps there are before the next long try, which sleeps as well.
  private func sleepsBeforeLongTry(_ patience: inout Patience) -> Int {
    for sleeps in 0..<10_000 where wait(&patience, .slept).long > 0 {
      return sleeps
    }
    return .max
  }

  @Test func twoMissesEndTheLooks() {
    var patience = Patience()
    #expect(wait(&patience, .slept).short > 0)
    #expect(wait(&patience, .slept).short > 0)
    #expect(wait(&patience, .slept) == (0, 0))
  }

  @Test func yieldsThatHelpEndTheLooksAsWell() {
    var patience = Patience()
    wait(&patience, .toldWhileYielding)
    wait(&patience, .toldWhileYielding)
    // And then there are no long tries: nobody sleeps.
    for _ in 0..<2_000 { #expect(wait(&patience, .toldWhileYielding) == (0, 0)) }
  }

  @Test func looksFollowThoseThatWereNeeded() {
    var patience = Patience()
    for _ in 0..<100 { wait(&patience, .told(looks: 2)) }
    let few = wait(&patience, .told(looks: 2)).short
    for _ in 0..<100 { wait(&patience, .told(looks: 50)) }
    let many = wait(&patience, .told(looks: 50)).short
    for _ in 0..<100 { wait(&patience, .told(looks: 128)) }
    let most = wait(&patience, .told(looks: 128)).short
    #expect((2...16).contains(few))
    #expect((50...128).contains(many))
    #expect(most == 128)
  }

  @Test func longTriesComeAfterSleepsAndLessAndLessOften() {
    var patience = Patience()
    let gaps = (0..<9).map { _ in sleepsBeforeLongTry(&patience) }
    // A long try in vain is a sleep, too.
    #expect(gaps == [8, 15, 31, 63, 127, 255, 255, 255, 255])
  }

  @Test func aLongTryInVainIsTheLast() {
    var patience = Patience()
    _ = sleepsBeforeLongTry(&patience)
    #expect(wait(&patience, .slept) == (0, 0))
  }

  @Test func aLongTryThatFindsAPartnerIsFollowedByOthers() {
    var patience = Patience()
    for _ in 0..<8 { wait(&patience, .slept) }
    let tries = (0..<5).map { _ in wait(&patience, .told(looks: 700)).long > 0 }
    #expect(tries == [true, true, true, true, false])
    #expect(wait(&patience, .slept) == (0, 0))
  }

  @Test func aPartnerThatAnswersAtOnceEndsTheLongTries() {
    var patience = Patience()
    for _ in 0..<8 { wait(&patience, .slept) }
    wait(&patience, .told(looks: 700))
    wait(&patience, .told(looks: 3))
    let next = patience.begin()
    #expect(next.longLooks == 0)
    #expect(next.shortLooks > 0)
  }

  @Test func aPartnerOnTheSameProcessorEndsTheLongTries() {
    var patience = Patience()
    for _ in 0..<8 { wait(&patience, .slept) }
    #expect(wait(&patience, .toldWhileYielding).long > 0)
    #expect(wait(&patience, .toldWhileYielding) == (0, 0))
  }

  @Test func partnersThatAnswerAtOnceBringLongTriesBack() {
    var patience = Patience()
    for _ in 0..<9 { _ = sleepsBeforeLongTry(&patience) }
    for _ in 0..<5 { wait(&patience, .told(looks: 3)) }
    #expect(sleepsBeforeLongTry(&patience) < 10)
  }
}
