#if Exploration
  internal import InterlockCore

  /// Chooses the next thread, and the value that a load returns, at random.
  struct RandomStrategy: Strategy {
    private var executions: SeededExecutions
    private var random = SplitMix64(state: 0)

    init(executions: Int, seed: UInt64, part: ExplorationPart = .whole) {
      self.executions = SeededExecutions(count: executions, seed: seed, part: part)
    }

    mutating func begin() -> Bool {
      guard let random = executions.next() else { return false }
      self.random = random
      return true
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      point.enabled[Int(random.next() % UInt64(point.enabled.count))]
    }

    mutating func chooseValue(count: Int) -> Int { random.oldValue(of: count) }
  }
#endif
