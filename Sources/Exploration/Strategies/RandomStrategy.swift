#if Exploration
  internal import ThreadSupport

  /// Chooses each next thread, and each value, at random.
  struct RandomStrategy: Strategy {
    let executions: Int
    private let seed: UInt64
    private var count = 0
    private var random: SplitMix64

    init(executions: Int, seed: UInt64) {
      self.executions = executions
      self.seed = seed
      random = SplitMix64(state: seed)
    }

    mutating func begin() -> Bool {
      guard count < executions else { return false }
      random = SplitMix64(state: seed &+ UInt64(count))
      count += 1
      return true
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      point.enabled[Int(random.next() % UInt64(point.enabled.count))]
    }

    mutating func chooseValue(count: Int) -> Int { random.oldValue(of: count) }
  }

  extension SplitMix64 {
    /// Which of `count` values to read: in half of the cases the latest.
    mutating func oldValue(of count: Int) -> Int {
      next() % 2 == 0 ? 0 : Int(next() % UInt64(count))
    }
  }
#endif
