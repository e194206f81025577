#if Exploration
  @testable import Exploration
  import Protectors
  import TestSupport
  import Testing

  /// Explores `body`, and prints a summary of the search.
  ///
  /// - Parameters:
  ///   - spuriousWakeUps: The maximum number of spurious wake-ups of each thread.
  ///   - mayEndEarly: Whether the search may stop after 20 000 executions (20 minutes with
  ///     `INTERLOCK_STRESS=full`), which are the same on each machine. If `false`, a search by an exhaustive
  ///     strategy must be exhaustive, but for steps that the explorer can't divide. The limit is 20 minutes.
  ///   - dividesLocks: Whether threads contend for exclusive locks step by step.
  ///   - hasBarrier: Whether the system has a barrier for all threads.
  func check(
    _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), spuriousWakeUps: Int = 0,
    mayEndEarly: Bool = false, dividesLocks: Bool = false, hasBarrier: Bool = true,
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws {
    // The time limit is long, because the machine may be busy.
    var limits = ExplorationLimits(
      executions: mayEndEarly ? StressSize.pick(quick: 20_000, full: .max) : .max,
      duration: .seconds(mayEndEarly ? StressSize.pick(quick: 300, full: 1_200) : 1_200),
      spuriousWakeUps: spuriousWakeUps, acceptsUnfinishedSearch: mayEndEarly)
    limits.dividesLocks = dividesLocks
    limits.hidesProcessBarrier = !hasBarrier
    let summary = try explore(strategy, limits: limits, body)
    print("explored \(name): \(summary)")
    let isWhole = summary.isExhaustive || summary.hasUndividedSteps && !summary.reachedLimit
    if case .exhaustive = strategy { #expect(mayEndEarly || isWhole) }
  }

  /// Explores `body` as `check` does, and returns the set of its results.
  func results<Value: Hashable & Sendable>(
    _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false,
    _ body: @escaping @Sendable (Execution) throws -> Value
  ) throws -> Set<Value> {
    let results = Monitor<Set<Value>>([])
    try check(name, strategy, mayEndEarly: mayEndEarly) { run in
      let result = try body(run)
      results.enter { _ = $0.insert(result) }
    }
    return results.enter { $0 }
  }

  /// Explores `body`, and returns the failure that the exploration must find.
  func failure(
    _ strategy: ExplorationStrategy = .exhaustive(),
    limits: ExplorationLimits = ExplorationLimits(namesLines: false),
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws -> ExplorationFailure {
    try #require(throws: ExplorationFailure.self) { try explore(strategy, limits: limits, body) }
  }

  extension Execution {
    /// Starts a thread for each body, then joins the threads in their order.
    func inThreads<Value: Sendable>(_ bodies: @Sendable () throws -> Value...) {
      let threads = bodies.map { thread($0) }
      for thread in threads { thread.join() }
    }

    /// Starts a task for each body, then joins the tasks in their order.
    func inTasks<Value: Sendable>(_ bodies: @Sendable () async throws -> Value...) {
      let tasks = bodies.map { task($0) }
      for task in tasks { task.join() }
    }
  }

  /// A section with an `await`; expects that at most `limit` tasks are inside.
  final class LimitedSection: Sendable {
    private let inside = ExclusiveProtector(0)
    private let run: Execution
    private let limit: Int

    init(_ run: Execution, limit: Int = 1) {
      self.run = run
      self.limit = limit
    }

    func body() async {
      let count = inside.withLock {
        $0 += 1
        return $0
      }
      run.expect(count <= limit, "at most \(limit) at a time")
      await Task.yield()
      inside.withLock { $0 -= 1 }
    }
  }

  /// A lock, and the cell that it guards.
  final class Guarded<Lock: Sendable & ~Copyable>: Sendable {
    let lock: Lock
    let cell = ExploredCell(0)

    init(_ lock: consuming sending Lock) { self.lock = lock }
  }
#endif
