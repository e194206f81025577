#if Exploration
  internal import InterlockCore

  /// Probabilistic concurrency testing: the thread with the highest priority runs, and priorities change at a
  /// few random steps.
  ///
  /// A bug of depth *d* is one that needs *d* ordering constraints between steps. With *n* threads, *k* steps
  /// and *d* − 1 changes, each execution finds it with a probability of at least 1 / (*n* · *k*^(*d* − 1)).
  /// (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A randomized scheduler with probabilistic guarantees of
  /// finding bugs", 2010.)
  struct PriorityStrategy: Strategy {
    let depth: Int
    private var executions: SeededExecutions
    private var random = SplitMix64(state: 0)
    /// The number of steps among which the changes are placed: that of the longest execution so far, or 16
    /// if all were shorter.
    private var steps = 16
    private var priorities: [Int: Int] = [:]
    private var changes: [Int: Int] = [:]

    init(executions: Int, depth: Int, seed: UInt64, part: ExplorationPart = .whole) {
      self.executions = SeededExecutions(count: executions, seed: seed, part: part)
      self.depth = depth
    }

    mutating func begin() -> Bool {
      guard let random = executions.next() else { return false }
      self.random = random
      priorities = [:]
      changes = [:]
      for change in 1..<max(depth, 1) { changes[Int(self.random.next() % UInt64(steps))] = change }
      return true
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      steps = max(steps, point.step + 1)
      for thread in point.enabled where priorities[thread] == nil {
        // The initial priority is random. It is higher than any priority that a thread gets at a later
        // change.
        priorities[thread] = depth + Int(random.next() >> 32)
      }
      if let change = changes[point.step] { priorities[highest(point)] = change }
      return highest(point)
    }

    private func highest(_ point: SchedulingPoint) -> Int {
      point.enabled.max { priorities[$0]! < priorities[$1]! }!
    }

    mutating func chooseValue(count: Int) -> Int { random.oldValue(of: count) }
  }
#endif
