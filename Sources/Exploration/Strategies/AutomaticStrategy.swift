#if Exploration
  /// Takes turns between three searches, none of which finds every kind of bug early.
  ///
  /// - Every other execution belongs to a search with few preemptions, which most bugs need: 300 random
  ///   executions, then no preemption, at most one, and so on.
  /// - Every fourth one belongs to the search without a bound. It finds bugs that need many preemptions near the
  ///   end of an execution, and is the one that shows that every schedule was tried.
  /// - Every fourth one has random priorities, for long executions.
  ///
  /// So each search takes at most four times as long as alone, and the first one twice as long.
  struct AutomaticStrategy: Strategy {
    private var few: StagedStrategy
    private var every: ExhaustiveStrategy
    private var priorities: PriorityStrategy

    private enum Search { case few, every, priorities }

    private static let turns: [Search] = [.few, .every, .few, .priorities]
    private var turn = Self.turns.count - 1
    private var search: Search { Self.turns[turn] }

    init(part: ExplorationPart) {
      few = StagedStrategy(preemptions: .max, part: part)
      every = ExhaustiveStrategy(preemptions: nil, part: part)
      priorities = PriorityStrategy(executions: .max, depth: 3, seed: 1, part: part)
    }

    /// `false` as soon as one of the two systematic searches has tried every schedule.
    mutating func begin() -> Bool {
      turn = (turn + 1) % Self.turns.count
      switch search {
      case .few: return few.begin()
      case .every: return every.begin()
      case .priorities: return priorities.begin()
      }
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      switch search {
      case .few: few.chooseThread(point)
      case .every: every.chooseThread(point)
      case .priorities: priorities.chooseThread(point)
      }
    }

    mutating func chooseValue(count: Int) -> Int {
      switch search {
      case .few: few.chooseValue(count: count)
      case .every: every.chooseValue(count: count)
      case .priorities: priorities.chooseValue(count: count)
      }
    }

    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint) {
      switch search {
      case .few: few.didStep(step, thread: thread, footprint)
      case .every: every.didStep(step, thread: thread, footprint)
      case .priorities: break
      }
    }

    mutating func didSynchronize(_ thread: Int, with other: Int) {
      switch search {
      case .few: few.didSynchronize(thread, with: other)
      case .every: every.didSynchronize(thread, with: other)
      case .priorities: break
      }
    }

    mutating func didPreventTimeout(_ thread: Int, in step: Int) {
      switch search {
      case .few: few.didPreventTimeout(thread, in: step)
      case .every: every.didPreventTimeout(thread, in: step)
      case .priorities: break
      }
    }

    var isExhaustive: Bool { every.isExhaustive || few.isExhaustive }
    var triedPreemptions: Int? { few.triedPreemptions }
  }
#endif
