#if Exploration
  import Exploration
  import ReadWriteLocks
  import Testing

  /// Explores `body`, and prints what was done, so that a search which ends too early is seen.
  ///
  /// - Parameter mayEndEarly: Whether the search may end after 20 seconds, before it has tried everything.
  func check(
    _ name: String, _ strategy: ExplorationStrategy = .exhaustive(), mayEndEarly: Bool = false,
    _ body: @escaping @Sendable (Execution) throws -> Void
  ) throws {
    // A search that has to end may take long on a busy machine.
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
