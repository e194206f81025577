import LocksUnderTest
import ReadWriteLocks
import TestSupport
import Testing

/// Tests waits with random timeouts, mixed with waits without a timeout.
@Suite(.serialized) struct TimeoutStressTests {
  @Test(arguments: TimedLockUnderTest.all)
  func timedWaitsExcludeAndLeaveTheLockFree(stressed: TimedLockUnderTest) {
    let lock = stressed.make()
    let twins = Twins()
    let rounds = StressSize.pick(quick: 800, full: 80_000)
    let outcomes = race(threads: 16) { index -> Outcome in
      var random = Seed.current.generator(stream: index)
      var outcome = Outcome()
      for _ in 0..<rounds {
        let limit = Self.limit(using: &random)
        let pause = Pause.random(using: &random)
        let isReading = random.happens(percent: 70)
        let start = MonotonicClock.now
        if isReading {
          let agree = Self.read(lock, within: limit) { twins.agree(pause: pause.take) }
          switch agree {
          case true?: break
          case false?: outcome.catches += 1
          case nil: outcome.noteExpiry(of: limit, since: start)
          }
        } else {
          let hasWritten = Self.write(lock, within: limit) { twins.change(pause: pause.take) }
          if hasWritten { outcome.writes += 1 } else { outcome.noteExpiry(of: limit, since: start) }
        }
      }
      return outcome
    }
    #expect(outcomes.allSatisfy { $0.catches == 0 }, "half-writes were seen; \(Seed.current)")
    #expect(outcomes.allSatisfy { $0.earlyExpiries == 0 }, "limits expired early; \(Seed.current)")
    #expect(twins.count == outcomes.reduce(0) { $0 + $1.writes }, "\(Seed.current)")
    // Attempts that timed out must leave the lock free, so that it can be acquired without waiting.
    #expect(lock.withWriteLockIfAvailable { true } == true)
    #expect(lock.withReadLockIfAvailable { true } == true)
    let expiries = outcomes.reduce(0) { $0 + $1.expiries }
    print("\(stressed.name), random limits: \(expiries) of \(16 * rounds) expired")
  }

  private static func read(
    _ lock: any RawReadWriteLock, within limit: Duration?, _ body: () -> sending Bool
  ) -> Bool? {
    guard let limit else { return lock.withReadLock(body) }
    return unlessTimedOut({ try lock.withReadLock(timeout: limit, body) })
  }

  private static func write(
    _ lock: any RawReadWriteLock, within limit: Duration?, _ body: () -> sending Void
  ) -> Bool {
    guard let limit else {
      lock.withWriteLock(body)
      return true
    }
    return unlessTimedOut({ try lock.withWriteLock(timeout: limit, body) }) != nil
  }

  /// Returns a random timeout of less than 2 ms, often zero; in a quarter of the calls `nil`, for no timeout.
  private static func limit(using random: inout SplitMix64) -> Duration? {
    switch random.next() % 4 {
    case 0: nil
    case 1: .zero
    case 2: .nanoseconds(Int64(random.next() % 50_000))
    default: .nanoseconds(Int64(random.next() % 2_000_000))
    }
  }
}

/// The results of one thread; `catches` counts the reads that saw a half-finished write.
private struct Outcome: Sendable {
  var writes = 0
  var catches = 0
  var expiries = 0
  var earlyExpiries = 0

  mutating func noteExpiry(of limit: Duration?, since start: UInt64) {
    expiries += 1
    // A wait without a timeout must not expire at all, so an expiry counts as early.
    if limit.map({ .nanoseconds(MonotonicClock.now - start) < $0 }) ?? true { earlyExpiries += 1 }
  }
}
