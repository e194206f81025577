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

  @Test(arguments: [(0, 1, 1), (-1, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, 0)])
  func numbersThatAreNotPositiveTrap(count: Int, seconds: Int, burst: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [count = count as Int, seconds = seconds as Int, burst = burst as Int] in
      _ = RateLimiter(count, per: .seconds(seconds), burst: burst)
    }
    #expect(
      result?.standardErrorContent.trap == Self.sentence(count, per: "\(seconds).0 seconds", burst: burst))
  }

  @Test func aPeriodThatIsTooLongTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RateLimiter(1, per: .seconds(Int64.max) * 2, burst: .max)
    }
    #expect(
      result?.standardErrorContent.trap
        == Self.sentence(1, per: "more than \(Int64.max) seconds", burst: .max))
  }

  @Test func aNegativeTimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onAnotherThread { _ = RateLimiter(1, per: .seconds(1)).waitForPermit(timeout: .seconds(-1)) }
    }
    #expect(
      result?.standardErrorContent.trap
        == "RateLimiter: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }
}
