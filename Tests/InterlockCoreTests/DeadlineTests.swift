import TestSupport
import Testing

@testable import InterlockCore

@Suite struct DeadlineTests {
  @Test func countsSecondsAndTheirFraction() {
    let before = MonotonicClock.now
    let deadline = Timeout(.seconds(3) + .nanoseconds(5), for: Primitive(.unfairLock)).deadlineFromNow()
    let after = MonotonicClock.now
    #expect((before + 3_000_000_005...after + 3_000_000_005).contains(deadline.nanoseconds))
  }

  @Test(arguments: [
    // A duration may be 18 times as long as its components can say.
    Duration.seconds(Int64.max) * 18, .seconds(Int64.max) + .seconds(1),
    .seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(999_999_999),
    // The next two durations are just above 2^64 and 2^63 nanoseconds. The last one is just below 2^63
    // nanoseconds, but exceeds 2^63 when added to the clock's current time.
    .seconds(18_446_744_074), .seconds(9_223_372_037), .nanoseconds(Int64.max),
  ])
  func isNeverWhereTheClockCannotRepresentIt(timeout: Duration) {
    let deadline = Timeout(timeout, for: Primitive(.unfairLock)).deadlineFromNow()
    #expect(deadline == .never)
    #expect(!deadline.hasPassed)
  }

  @Test(
    "Fractions of a nanosecond are rounded up",
    arguments: [
      (attoseconds: Int64(0), nanoseconds: UInt64(0)), (1, 1), (999_999_999, 1), (1_000_000_000, 1),
      (1_000_000_001, 2),
      (999_999_999_999_999_999, 1_000_000_000),
    ])
  func fractions(attoseconds: Int64, nanoseconds: UInt64) {
    let duration = Duration(secondsComponent: 2, attosecondsComponent: attoseconds)
    #expect(Deadline(after: duration, from: 100).nanoseconds == 2_000_000_100 + nanoseconds)
  }

  @Test("The latest deadline is the greatest signed number of nanoseconds")
  func latest() {
    let latest = UInt64(Int64.max)
    #expect(Deadline(after: .nanoseconds(1), from: latest - 1).nanoseconds == latest)
    #expect(Deadline(after: .nanoseconds(1), from: latest) == .never)
  }

  @Test func aCenturyIsRepresentable() {
    let deadline = Timeout(.seconds(3_155_760_000), for: Primitive(.unfairLock)).deadlineFromNow()
    #expect(deadline != .never)
    #expect(!deadline.hasPassed)
  }

  @Test func hasPassedOnceTheClockHasReachedIt() {
    let now = Timeout(.zero, for: Primitive(.unfairLock)).deadlineFromNow()
    #expect(now.hasPassed)

    let later = Timeout(.milliseconds(2), for: Primitive(.unfairLock)).deadlineFromNow()
    while !later.hasPassed {
      PlatformThread.yield()
    }
    #expect(MonotonicClock.now >= later.nanoseconds)
  }

  @Test func onlyTheZeroTimeoutIsZero() {
    let smallest = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(Timeout(.zero, for: Primitive(.unfairLock)).isZero)
    #expect(!Timeout(smallest, for: Primitive(.unfairLock)).isZero)
  }
}
