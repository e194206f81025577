import Jobs
import Protectors
import TestSupport
import Testing

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct CrashTests {
  private static let tryingOnce = "pass .zero to try once without waiting"
  private static let positive = "pass a number greater than 0"

  private static let misuses = single + counts + limits

  private static let single: [Misuse] =
    [
      Misuse("AsyncQueue: made with maxWaitingItems: -1", "pass 0 or more, or leave it out") {
        _ = AsyncQueue(maxWaitingItems: -1)
      },
      Misuse("AsyncQueue: an item awaits the end of its own queue", "call finish() outside of its items") {
        let queue = AsyncQueue()
        try await queue.add { await queue.finish() }?.value
      },
      // In child tasks, where no timeout would end the wait.
      Misuse("AsyncQueue: an item awaits the end of its own queue", "call finish() outside of its items") {
        let queue = AsyncQueue()
        try await queue.add { await withTimeout(.milliseconds(1)) { await queue.finish() } }?.value
      },
      Misuse("AsyncQueue: an item awaits the end of its own queue", "call finish() outside of its items") {
        let queue = AsyncQueue(maxConcurrentItems: 2)
        try await queue.add {
          async let end: Void = queue.finish()
          await end
        }?.value
      },
      Misuse("concurrentForEach: called with limit: 0", positive) {
        try await AsyncStream<Int> { nil }.concurrentForEach(limit: 0) { _ in }
      },
      Misuse("JoinedThreads: a thread was not joined (error 35)", "join it on another thread") {
        let threads = ExclusiveProtector<JoinedThreadsTests.Held?>(nil)
        let held = JoinedThreadsTests.Held(
          JoinedThreads(1) { _ in
            threads.withLock(waitingUntil: { $0 != nil }) { $0.take() }?.join()
          })
        threads.withLock { $0 = held }
        Signal().wait()
      },
      Misuse("JoinedThreads: started with -1 threads", "pass 0 or more") {
        JoinedThreads(-1) { _ in }.join()
      },
      Misuse("withThreads: called for -1 threads", "pass 0 or more") { withThreads(-1) { _ in } },
      Misuse("withThreads: called for \(Int.max) threads, more than any system grants", "pass fewer") {
        withThreads(.max) { $0 }
      },
      Misuse("RateLimiter: a timeout of -1.0 seconds is negative", tryingOnce) {
        onAnotherThread { try? RateLimiter(1, per: .seconds(1)).takePermit(timeout: .seconds(-1)) }
      },
      Misuse("withTimeout: a timeout of -1.0 seconds is negative", tryingOnce) {
        await withTimeout(.seconds(-1)) {}
      },
      limiter(1, per: .seconds(Int64.max) * 2, "more than \(Int64.max) seconds", burst: .max),
    ]

  private static let limits: [Misuse] = [(0, 1, 1), (-1, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, 0)].map {
    count, seconds, burst in
    limiter(count, per: .seconds(seconds), "\(seconds).0 seconds", burst: burst)
  }

  private static let counts: [Misuse] = [0, -1].flatMap { number in
    [
      Misuse("AsyncQueue: made with maxConcurrentItems: \(number)", positive) {
        _ = AsyncQueue(maxConcurrentItems: number)
      },
      Misuse("concurrentMap: called with limit: \(number)", positive) {
        _ = await [1].concurrentMap(limit: number) { $0 }
      },
      Misuse("Mailbox: made with a capacity of \(number)", "pass at least 1") {
        _ = Mailbox<Int>(capacity: number)
      },
      Misuse("withJobs: called with maxConcurrentJobs: \(number)", positive) {
        await withJobs(maxConcurrentJobs: number) { _ in }
      },
    ]
  }

  /// A limiter with numbers that are not positive, or a period that is too long.
  private static func limiter(_ count: Int, per period: Duration, _ text: String, burst: Int) -> Misuse {
    Misuse(
      "RateLimiter: made for \(count) permits per \(text), with a burst of \(burst)",
      "pass a count of at least 1, a burst of 1 to 2147483647, and a period of at most 68 years, "
        + "in which each permit gets an attosecond or more"
    ) {
      _ = RateLimiter(count, per: period, burst: burst)
    }
  }

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
