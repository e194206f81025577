#if Exploration
  /// Tries the schedules of several strategies, one strategy after the other.
  ///
  /// Most bugs need few preemptions, and random executions find many bugs early. A search with a bound
  /// therefore begins with random executions, and then tries the bounds from 0 upwards: a greater bound may
  /// have millions of schedules before the first one that fails.
  struct StagedStrategy: Strategy {
    private var stages: [any Strategy]
    private var current = 0

    /// The number of random executions before the search with no preemptions.
    private static let randomExecutions = 300

    /// Makes a strategy that runs random executions, and then every schedule with at most 0, 1, and so on up
    /// to `preemptions` preemptions.
    init(preemptions: Int, part: ExplorationPart) {
      stages = [RandomStrategy(executions: Self.randomExecutions, seed: 1, part: part)]
      stages += (0...preemptions).map { ExhaustiveStrategy(preemptions: $0, part: part) }
    }

    mutating func begin() -> Bool {
      while !stages[current].begin() {
        guard current + 1 < stages.count else { return false }
        current += 1
      }
      return true
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? { stages[current].chooseThread(point) }

    mutating func chooseValue(count: Int) -> Int { stages[current].chooseValue(count: count) }

    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint) {
      stages[current].didStep(step, thread: thread, footprint)
    }

    mutating func didSynchronize(_ thread: Int, with other: Int) {
      stages[current].didSynchronize(thread, with: other)
    }

    mutating func didPreventTimeout(_ thread: Int, in step: Int) {
      stages[current].didPreventTimeout(thread, in: step)
    }

    var isExhaustive: Bool { current == stages.count - 1 && stages[current].isExhaustive }
  }
#endif
