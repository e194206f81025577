import Jobs
import TestSupport
import Testing

/// Tests every misuse that traps; each test runs in a process of its own.
@Suite struct RateLimiterCrashTests {
  private static func sentence(_ count: Int, per period: String = "1.0 seconds", burst: Int = 1) -> String {
    "RateLimiter: made for \(count) permits per \(period), with a burst of \(burst); "
      + "pass a count of at least 1, a burst of 1 to 2147483647, and a period of at most 68 years, "
      + "in which each permit gets an attosecond or more"
  }

  @Test(arguments: [0, -1]) func aCountBelow1Traps(count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [count = count as Int] in
      Trap.orDie()
      _ = RateLimiter(count, per: .seconds(1))
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == Self.sentence(count))
  }

  @Test func aBurstBelow1Traps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      _ = RateLimiter(1, per: .seconds(1), burst: 0)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == Self.sentence(1, burst: 0))
  }

  @Test(arguments: [0, -1]) func aPeriodThatIsNotPositiveTraps(seconds: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [seconds = seconds as Int] in
      Trap.orDie()
      _ = RateLimiter(1, per: .seconds(seconds))
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == Self.sentence(1, per: "\(seconds).0 seconds"))
  }

  @Test func aPeriodThatIsTooLongTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      _ = RateLimiter(1, per: .seconds(Int64.max) * 2, burst: .max)
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == Self.sentence(1, per: "more than \(Int64.max) seconds", burst: .max))
  }

  @Test func aNegativeTimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      onAnotherThread { _ = RateLimiter(1, per: .seconds(1)).waitForPermit(timeout: .seconds(-1)) }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "RateLimiter: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }
}
