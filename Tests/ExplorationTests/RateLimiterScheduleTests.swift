#if Exploration
  import Exploration
  import Protectors
  import TestSupport
  import Testing

  @testable import AsyncLocks
  @testable import Jobs

  /// Explores tasks that wait for the permits of a `RateLimiter`, while another one moves its clock on.
  @Suite(.serialized) struct RateLimiterScheduleTests {
    private final class ManualClock: Clock {
      private let time = ExclusiveProtector(Duration.zero)

      var now: TestInstant { TestInstant(offset: time.value) }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
        try await time.withLock(waitingUntil: { $0 >= deadline.offset }) { _ in }
      }

      func advance() { time.withLock { $0 += .seconds(1) } }
    }

    /// - Parameter cancelled: The number of tasks that are cancelled at any point.
    @Test(
      arguments: [
        (2, 0, 1, .exhaustive(preemptions: 1)), (2, 1, 1, .random(executions: 2_000)),
        (3, 1, 2, .random(executions: 2_000)),
      ] as [(Int, Int, Int, ExplorationStrategy)])
    func tasksWait(tasks: Int, cancelled: Int, burst: Int, strategy: ExplorationStrategy) throws {
      let name = "RateLimiter, \(tasks) tasks, \(cancelled) cancelled, a burst of \(burst)"
      try check(name, strategy, mayEndEarly: true) { run in
        let clock = ManualClock()
        let limiter = RateLimiter(1, per: .seconds(1), burst: burst, clock: clock)
        let served = ExclusiveProtector<[Duration]>([])
        let ended = ExclusiveProtector(0)
        let tasks = (0..<tasks).map { number in
          run.task(mayBeCancelled: number < cancelled) {
            let end = await ending { try await limiter.takePermit() }
            if end == .returned { served.withLock { $0.append(clock.now.offset) } }
            ended.withLock { $0 += 1 }
            return end
          }
        }
        let advancing = run.task {
          while ended.value < tasks.count {
            clock.advance()
            await Task.yield()
          }
        }
        let results = tasks.map { $0.join() }
        advancing.join()
        run.expect(
          results.dropFirst(cancelled).allSatisfy { $0 == .returned }, "only a cancelled task gives up")
        let times = served.withLock { $0.sorted() }
        run.expect(
          times.enumerated().allSatisfy { $1 >= .seconds($0 + 1 - burst) },
          "no permit is given before it is made")
        run.expect(limiter.placeCount == 0 && limiter.tasks.freePermits == 1, "it is at rest")
      }
    }
  }
#endif
