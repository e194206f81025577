#if Exploration
  import Exploration
  import Jobs
  import Protectors

  @testable import LazyInitialization

  /// Known mistakes of queues and caches of asynchronous work, as they are written by hand; the repaired code is what
  /// this package has in their place.
  extension PlantedTaskBug {
    private struct Refused: Error {}

    /// Shares one run of its callers in the ways that go wrong.
    private actor SharedRun {
      private var task: Task<Int, any Error>?
      var isIdle: Bool { task == nil }

      private func run(_ make: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
        let task = task ?? Task { try await make() }
        self.task = task
        return task
      }

      /// The first caller cancels the run for all.
      func cancelled(_ make: @escaping @Sendable () async throws -> Int) async -> Int? {
        if let task { return try? await task.value }
        let task = run(make)
        return await withTaskCancellationHandler {
          try? await task.value
        } onCancel: {
          task.cancel()
        }
      }

      /// An error is kept as a value is.
      func kept(_ make: @escaping @Sendable () async throws -> Int) async -> Int? {
        try? await run(make).value
      }

      /// A caller that is cancelled does not remove the run.
      func leaked(_ make: @escaping @Sendable () async throws -> Int) async -> Int? {
        let value = try? await run(make).value
        if Task.isCancelled { return nil }
        task = nil
        return value
      }
    }

    /// Runs closures in order: each task awaits the one before.
    private final class Chain: Sendable {
      private let last = ExclusiveProtector<Task<Int, any Error>?>(nil)

      func add(_ item: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
        last.withLock { last in
          let task = Task { [before = last] in
            _ = try await before?.value
            return try await item()
          }
          last = task
          return task
        }
      }
    }

    @Sendable private static func load() async throws -> Int {
      await Task.yield()
      try Task.checkCancellation()
      return 1
    }

    static let sharedWork = [
      PlantedTaskBug("the first caller cancels the run of all", "Expectation: a value") { run, isRepaired in
        let (shared, flight) = (SharedRun(), SingleFlight<Int, Int>())
        let value: @Sendable () async -> Int? = {
          isRepaired ? try? await flight.value(for: 1, load) : await shared.cancelled(load)
        }
        let first = run.task(mayBeCancelled: true) { await value() }
        let second = run.task { await value() }
        first.join()
        run.expect(second.join() == 1, "a value")
      },
      PlantedTaskBug("an error is kept", "Expectation: a value") { run, isRepaired in
        let (shared, flight) = (SharedRun(), SingleFlight<Int, Int>())
        let attempts = ExclusiveProtector(0)
        let make: @Sendable () async throws -> Int = {
          let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
          }
          if attempt == 1 { throw Refused() }
          return attempt
        }
        let value: @Sendable () async -> Int? = {
          isRepaired ? try? await flight.value(for: 1, make) : await shared.kept(make)
        }
        run.task { await value() }.join()
        run.expect(run.task { await value() }.join() == 2, "a value")
      },
      PlantedTaskBug("a cancelled caller leaves its key behind", "Expectation: idle") { run, isRepaired in
        let (shared, flight) = (SharedRun(), SingleFlight<Int, Int>())
        let task = run.task(mayBeCancelled: true) {
          isRepaired ? try? await flight.value(for: 1, load) : await shared.leaked(load)
        }
        task.join()
        run.expect(run.task { await shared.isIdle }.join() && flight.waiterCounts.isEmpty, "idle")
      },
      PlantedTaskBug("an error ends a queue", "Expectation: the next item") { run, isRepaired in
        let (chain, queue) = (Chain(), AsyncQueue())
        let task = run.task {
          if isRepaired {
            _ = queue.add { throw Refused() }
            return try? await queue.add { 2 }?.value
          }
          _ = chain.add { throw Refused() }
          return try? await chain.add { 2 }.value
        }
        run.expect(task.join() == 2, "the next item")
      },
    ]
  }
#endif
