#if Exploration
  import Exploration
  import Jobs
  import Protectors
  import TestSupport
  import Testing

  /// Explores an operation with a timeout, while other tasks let its time pass, give it what it waits for, and cancel its
  /// caller.
  @Suite(.serialized) struct WithTimeoutScheduleTests {
    /// A clock that stands still until it passes the end of every sleep.
    private final class StandingClock: Clock {
      private let hasPassed = ExclusiveProtector(false)

      var now: TestInstant { TestInstant(offset: .zero) }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
        try await hasPassed.withLock(waitingUntil: { $0 }) { _ in }
      }

      func pass() { hasPassed.withLock { $0 = true } }
    }

    enum Outcome: String {
      case value
      case timeout
      case cancellation
    }

    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)
    private static let random = ExplorationStrategy.random(executions: 2_000)

    /// An operation takes an item, and the result of the call must say whether it has, and why not.
    ///
    /// Beside it, the caller may be cancelled, the timeout may pass, and the item may come.
    @Test(
      arguments: [
        (false, true, false, [.timeout], bounded), (false, true, true, [.value, .timeout], bounded),
        (true, false, true, [.value, .cancellation], bounded),
        (true, true, false, [.timeout, .cancellation], random),
        (true, true, true, [.value, .timeout, .cancellation], random),
      ] as [(Bool, Bool, Bool, Set<Outcome>, ExplorationStrategy)])
    func anOperationTakesAnItem(
      mayBeCancelled: Bool, passes: Bool, gives: Bool, expected: Set<Outcome>, strategy: ExplorationStrategy
    ) throws {
      let name =
        "withTimeout\(mayBeCancelled ? ", cancelled" : "")\(passes ? ", passes" : "")\(gives ? ", in time" : "")"
      let outcomes = try results(name, strategy) { run in
        let clock = StandingClock()
        let items = ExclusiveProtector(0)
        let running = ExclusiveProtector(0)
        let task = run.task(mayBeCancelled: mayBeCancelled) { () -> Outcome in
          do {
            try await withTimeout(.seconds(1), clock: clock) {
              running.withLock { $0 += 1 }
              defer { running.withLock { $0 -= 1 } }
              try await items.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 }
            }
            return .value
          } catch is TimeoutError {
            return .timeout
          } catch {
            run.expect(Task.isCancelled, "a caller that is not cancelled gets a TimeoutError")
            return .cancellation
          }
        }
        let others = [
          passes ? run.task { clock.pass() } : nil, gives ? run.task { items.withLock { $0 += 1 } } : nil,
        ]
        let outcome = task.join()
        let isRunning = running.value != 0
        for other in others { other?.join() }
        run.expect(!isRunning, "the operation has ended")
        run.expect(items.value == (gives && outcome != .value ? 1 : 0), "no item is lost")
        run.expect(expected.contains(outcome), "\(outcome)")
        return outcome
      }
      #expect(outcomes.count >= min(2, expected.count))
    }
  }
#endif
