import InterlockCore
import TestSupport
import Testing

@Suite struct BackoffTests {
  @Test func aUsedUpBackoffSpinsNoMore() {
    var backoff = Backoff()
    while backoff.spin() {}
    let more = (0..<10).count { _ in backoff.spin() }
    #expect(more == 0)
    #expect(backoff.isOver)
  }

  @Test func isBoundedOnEveryThread() {
    // The jitter differs between threads.
    let rounds = race(threads: 16) { _ -> Int in
      var backoff = Backoff()
      var rounds = 0
      while rounds < 1_000, !backoff.isOver {
        backoff.spinOrYield(until: .passed)
        rounds += 1
      }
      return rounds
    }
    #expect(Set(rounds).count == 1, "jitter changes how long a round is, not how many there are")
    #expect(rounds[0] < 1_000)
  }
}
