#if Exploration
  internal import ThreadSupport

  /// A number of executions, each with random numbers of its own that follow from one seed.
  struct SeededExecutions {
    let count: Int
    let seed: UInt64
    private var begun = 0

    init(count: Int, seed: UInt64) {
      self.count = count
      self.seed = seed
    }

    /// The random numbers of the next execution; `nil` after the last one.
    mutating func next() -> SplitMix64? {
      guard begun < count else { return nil }
      defer { begun += 1 }
      return SplitMix64(state: seed &+ UInt64(begun))
    }
  }

  extension SplitMix64 {
    /// Which of `count` values to read: in half of the cases the latest.
    mutating func oldValue(of count: Int) -> Int {
      next() % 2 == 0 ? 0 : Int(next() % UInt64(count))
    }
  }
#endif
