#if Exploration
  /// Tries random executions, and then every schedule with at most 0, 1, and so on up to `bound` preemptions.
  ///
  /// Most bugs need few preemptions, and random executions find many bugs early. A greater bound may have millions
  /// of schedules before the first one that fails.
  struct StagedStrategy: Strategy {
    private let bound: Int
    private let part: ExplorationPart
    private var stage: any Strategy
    private(set) var triedPreemptions: Int?
    private(set) var isExhaustive = false

    /// The number of random executions before the search with no preemptions.
    private static let randomExecutions = 300

    init(preemptions bound: Int, part: ExplorationPart) {
      self.bound = bound
      self.part = part
      stage = RandomStrategy(executions: Self.randomExecutions, seed: 1, part: part)
    }

    mutating func begin() -> Bool {
      while !stage.begin() {
        if let ended = stage as? ExhaustiveStrategy {
          triedPreemptions = ended.bound
          // A greater bound has no more schedules if this one has never kept the search from a preemption.
          if ended.bound == bound || !ended.hasReachedBound {
            isExhaustive = true
            return false
          }
        }
        stage = ExhaustiveStrategy(preemptions: triedPreemptions.map { $0 + 1 } ?? 0, part: part)
      }
      return true
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? { stage.chooseThread(point) }

    mutating func chooseValue(count: Int) -> Int { stage.chooseValue(count: count) }

    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint) {
      stage.didStep(step, thread: thread, footprint)
    }

    mutating func didSynchronize(_ thread: Int, with other: Int) {
      stage.didSynchronize(thread, with: other)
    }

    mutating func didPreventTimeout(_ thread: Int, in step: Int) {
      stage.didPreventTimeout(thread, in: step)
    }
  }
#endif
