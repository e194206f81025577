import InterlockCore
import TestSupport
import Testing

@testable import AsyncLocks
@testable import Jobs

@Suite(.serialized) struct RateLimiterStressTests {
  /// Each task gets a permit or is cancelled, and no more permits are given than are made.
  @Test func noPermitIsLostOrGivenTwice() async {
    let burst = 100
    let interval = Duration.microseconds(10)
    let limiter = RateLimiter(1, per: interval, burst: burst)
    let (served, left, strangers) = (RelaxedCounter(), RelaxedCounter(), RelaxedCounter())
    let start = ContinuousClock.now
    await TaskStress.run { _, random in
      if random.happens(percent: 5) {
        if limiter.takePermitIfAvailable() { served.add(1) } else { left.add(1) }
      } else {
        switch await ending({ try await limiter.takePermit() }) {
        case .returned: served.add(1)
        case let end:
          left.add(1)
          if end != .cancelled || !Task.isCancelled { strangers.add(1) }
        }
      }
    }
    let made = Int((ContinuousClock.now - start) / interval) + 1 + burst
    #expect(served.value + left.value == TaskStress.taskCount)
    #expect(served.value <= made, "\(Seed.current)")
    #expect(strangers.value == 0, "\(Seed.current)")
    #expect(limiter.placeCount == 0 && limiter.tasks.freePermits == 1)
  }

  /// Threads and tasks wait together, some of them not to the end.
  @Test func threadsAndTasksShareALimiter() async {
    let limiter = RateLimiter(1, per: .microseconds(100), burst: 2)
    let served = RelaxedCounter()
    let threads = 4
    let rounds = StressSize.pick(quick: 200, full: 5_000)
    let start = ContinuousClock.now
    async let onThreads: Void = onAThread {
      race(threads: threads) { thread in
        var random = Seed.current.generator(stream: thread)
        for _ in 0..<rounds {
          if random.happens(percent: 50) {
            limiter.takePermit()
            served.add(1)
          } else if (try? limiter.takePermit(timeout: .microseconds(Int64(random.next() % 500)))) != nil {
            served.add(1)
          }
        }
      }
    }
    for round in 0..<rounds {
      let task = Task { await ending { try await limiter.takePermit() } }
      if round % 3 == 0 { task.cancel() }
      if await task.value == .returned { served.add(1) }
    }
    await onThreads
    #expect(served.value >= rounds / 3)
    #expect(
      served.value <= Int((ContinuousClock.now - start) / .microseconds(100)) + rounds, "\(Seed.current)")
    #expect(limiter.placeCount == 0 && limiter.tasks.freePermits == 1)
  }
}
