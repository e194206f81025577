#if Exploration
  /// A vector clock: for each thread, how many of its steps happen before a given event.
  ///
  /// `ExploredMemory` also uses this type for its views, which have an index for each word.
  struct VectorClock: Sendable {
    private var steps: [Int]

    init() { steps = [] }

    subscript(thread: Int) -> Int {
      get { thread < steps.count ? steps[thread] : 0 }
      set {
        while steps.count <= thread { steps.append(0) }
        steps[thread] = newValue
      }
    }

    /// Merges `other` into this clock: each entry becomes the greater of the two.
    mutating func join(_ other: VectorClock) {
      for thread in other.steps.indices where other.steps[thread] > self[thread] {
        self[thread] = other.steps[thread]
      }
    }
  }
#endif
