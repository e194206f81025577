#if Exploration
  import Exploration
  import ReadWriteLocks
  import Testing

  /// Explores `body`, and prints a summary of the search.
  ///
  /// - Parameter mayEndEarly: Whether the search may end after 20 seconds, before it has tried everything.
  ///   Otherwise a search that is not exhaustive is a failure.
  func check(
    _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false,
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws {
    // A search that must be exhaustive gets a long limit, because the machine may be busy.
    let limits = ExplorationLimits(duration: .seconds(mayEndEarly ? 20 : 300))
    let summary = try explore(strategy, limits: limits, body)
    print("explored \(name): \(summary)")
    #expect(mayEndEarly || summary.isExhaustive)
  }

  /// A lock, and the cell that it guards.
  final class Guarded<Lock: ReadWriteLock & ~Copyable>: Sendable {
    let lock: Lock
    let cell = ExploredCell(0)

    init(_ lock: consuming sending Lock) { self.lock = lock }
  }
#endif
