#if Exploration
  internal import InterlockCore

  /// The random number generators of `count` executions, each derived from `seed` and the execution's number.
  ///
  /// In a process that explores one part (see `ExplorationPart`), `next` skips the executions of other parts.
  /// An execution has the same generator whether or not the exploration is divided into parts.
  struct SeededExecutions {
    let count: Int
    let seed: UInt64
    private let part: ExplorationPart
    private var begun = 0

    init(count: Int, seed: UInt64, part: ExplorationPart) {
      self.count = count
      self.seed = seed
      self.part = part
    }

    /// The random number generator of the next execution; `nil` after the last one.
    mutating func next() -> SplitMix64? {
      while begun < count, !part.includes(begun) { begun += 1 }
      guard begun < count else { return nil }
      defer { begun += 1 }
      return SplitMix64(state: seed &+ UInt64(begun))
    }
  }

  extension SplitMix64 {
    /// A random choice among the `count` values that a load may return; 0 is the latest value.
    ///
    /// The result is 0 with a probability of at least one half.
    mutating func oldValue(of count: Int) -> Int {
      next() % 2 == 0 ? 0 : Int(next() % UInt64(count))
    }
  }
#endif
