#if Exploration
  import Exploration
  import Protectors
  import TestSupport
  import Testing

  @testable import LazyInitialization

  /// Explores tasks that share the runs of a `SingleFlight`, and are cancelled.
  @Suite(.serialized) struct SingleFlightScheduleTests {
    private struct Refused: Error {
      var run: Int
    }

    /// A flight whose runs are counted; a run that was cancelled makes a negative number.
    private final class Scene: Sendable {
      let flights = SingleFlight<Int, Int>()
      let begun = ExclusiveProtector(0)

      func value(throwing: Bool = false) async throws -> Int {
        try await flights.value(for: 1) { [begun] in
          let run = begun.withLock { begun in
            begun += 1
            return begun
          }
          await Task.yield()
          if throwing { throw Refused(run: run) }
          return Task.isCancelled ? -run : run
        }
      }

      func expectNoRuns(_ run: Execution) {
        run.expect(flights.waiterCounts == [], "no key is left")
      }
    }

    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)
    private static let random = ExplorationStrategy.random(executions: 2_000)

    @Test func twoTasksShareARun() throws {
      let outcomes = try results("SingleFlight, 2 tasks", Self.bounded, mayEndEarly: true) { run in
        let scene = Scene()
        let tasks = (0..<2).map { _ in run.task { try? await scene.value() } }
        let values = tasks.map { $0.join() }
        let begun = scene.begun.withLock { $0 }
        run.expect(Set(values.map { $0 ?? 0 }) == Set(1...begun), "each run has a task that gets its value")
        scene.expectNoRuns(run)
        return begun
      }
      #expect(outcomes == [1, 2])
    }

    @Test func threeTasksShareAnError() throws {
      try check("SingleFlight, 3 tasks, an error", Self.random) { run in
        let scene = Scene()
        let tasks = (0..<3).map { number in
          run.task {
            do {
              return try await scene.value(throwing: number == 0)
            } catch {
              return (error as? Refused)?.run ?? 0
            }
          }
        }
        let results = tasks.map { $0.join() }
        run.expect(Set(results) == Set(1...scene.begun.withLock { $0 }), "each run reaches a task")
        scene.expectNoRuns(run)
      }
    }

    /// The task that stays must get a value of a run that was not cancelled.
    @Test(arguments: [2, 3]) func oneTaskStays(tasks: Int) throws {
      let strategy = tasks == 2 ? Self.bounded : Self.random
      try check("SingleFlight, \(tasks - 1) of \(tasks) tasks cancelled", strategy, mayEndEarly: true) {
        run in
        let scene = Scene()
        let leaving = (1..<tasks).map { _ in run.task(mayBeCancelled: true) { try? await scene.value() } }
        let staying = run.task { try? await scene.value() }
        run.expect(staying.join() ?? 0 > 0, "its run goes on")
        for task in leaving { run.expect(task.join() ?? 1 > 0, "no task gets the value of a cancelled run") }
        scene.expectNoRuns(run)
      }
    }

    /// A run that waits for ever ends only if it is cancelled with the last task that waits for it.
    @Test(arguments: [1, 2]) func theRunIsCancelledWithAllTasks(tasks: Int) throws {
      try check("SingleFlight, \(tasks) tasks cancelled", Self.random) { run in
        let flights = SingleFlight<Int, Int>()
        let gate = ExclusiveProtector(false)
        let ended = ExclusiveProtector(0)
        let begun = ExclusiveProtector(0)
        let tasks = (0..<tasks).map { _ in
          run.task(mayBeCancelled: true) {
            await ending {
              try await flights.value(for: 1) {
                begun.withLock { $0 += 1 }
                let hasPassed: Void? = await unlessCancelled {
                  try await gate.withLock(waitingUntil: { $0 }) { _ in }
                }
                ended.withLock { $0 += 1 }
                return hasPassed == nil ? 2 : 1
              }
            }
          }
        }
        for task in tasks { run.expect(task.join() == .cancelled) }
        run.expect(flights.waiterCounts == [], "no key is left")
        run.task {
          while ended.withLock({ $0 }) < begun.withLock({ $0 }) { await Task.yield() }
        }
        .join()
      }
    }

    // MARK: The recipe of the documentation

    /// Keeps results: the recipe of the module's page, with a clock of the test's own.
    private final class Cache: Sendable {
      let flights = SingleFlight<Int, Int>()
      let kept = ExclusiveProtector<[Int: (value: Int, end: Int)]>([:])
      let now = ExclusiveProtector(0)
      let loads = ExclusiveProtector(0)

      func value(_ key: Int) async throws -> Int {
        try await flights.value(for: key) { [self] in
          if let hit = kept.withLock({ $0[key] }), hit.end > now.value { return hit.value }
          let value = try await load()
          kept.withLock { kept in
            if kept.count == 2, let oldest = kept.min(by: { $0.value.end < $1.value.end }) {
              kept[oldest.key] = nil
            }
            kept[key] = (value, now.value + 1)
          }
          return value
        }
      }

      func load() async throws -> Int {
        await Task.yield()
        return loads.withLock { loads in
          loads += 1
          return loads
        }
      }
    }

    @Test func aKeptResultIsLoadedOnce() throws {
      try check("the cache of the documentation, 2 tasks", Self.bounded, mayEndEarly: true) { run in
        let cache = Cache()
        let tasks = (0..<2).map { _ in run.task { try await cache.value(1) } }
        run.expect(tasks.map { $0.join() } == [1, 1], "one load")
        cache.now.withLock { $0 = 1 }
        let (later, again) = (
          run.task { try await cache.value(1) }.join(), run.task { try await cache.value(1) }.join()
        )
        run.expect([later, again] == [2, 2], "a new load after the expiry")
      }
    }
  }
#endif
