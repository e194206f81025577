#if Exploration
  @testable import Exploration
  import TestSupport
  import Testing

  /// Explores `body`, and prints a summary of the search.
  ///
  /// - Parameters:
  ///   - spuriousWakeUps: The maximum number of spurious wake-ups of each thread.
  ///   - mayEndEarly: Whether the search may stop at a limit of 20 seconds (20 minutes with
  ///     `INTERLOCK_STRESS=full`). If `false`, the limit is 5 minutes, and a search by an exhaustive strategy
  ///     must be exhaustive, but for steps that the explorer can't divide.
  ///   - dividesLocks: Whether threads contend for exclusive locks step by step.
  func check(
    _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), spuriousWakeUps: Int = 0,
    mayEndEarly: Bool = false, dividesLocks: Bool = false,
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws {
    // A search that must be exhaustive gets a long time limit, because the machine may be busy.
    var limits = ExplorationLimits(
      duration: .seconds(mayEndEarly ? StressSize.pick(quick: 20, full: 1_200) : 300),
      spuriousWakeUps: spuriousWakeUps)
    limits.dividesLocks = dividesLocks
    let summary = try explore(strategy, limits: limits, body)
    print("explored \(name): \(summary)")
    let isWhole = summary.isExhaustive || summary.hasUndividedSteps && !summary.reachedLimit
    if case .exhaustive = strategy { #expect(mayEndEarly || isWhole) }
  }

  /// A lock, and the cell that it guards.
  final class Guarded<Lock: Sendable & ~Copyable>: Sendable {
    let lock: Lock
    let cell = ExploredCell(0)

    init(_ lock: consuming sending Lock) { self.lock = lock }
  }
#endif
