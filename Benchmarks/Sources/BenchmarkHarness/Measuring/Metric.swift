/// The quantity that a `Contest` measures.
package enum Metric: String, Sendable, Codable {
  /// Nanoseconds for one operation on one thread: less is better.
  case cost
  /// Million operations per second of all threads: more is better.
  case throughput
  /// The time that one operation waited, as measured by the contestant itself: less is better.
  ///
  /// The figure of a round is its longest wait, in nanoseconds.
  case waits
  /// Million hand-offs per second between threads that wait for one another: more is better.
  ///
  /// The harness runs a single worker thread, which waits while other threads do the hand-offs.
  case handOffs
  /// Frames per second, where an operation is a frame: more is better.
  ///
  /// The figure is at most `mostFrames`, because no display shows more.
  case frames
  /// Bytes of memory for one operation, counted by the contestant: less is better.
  case bytes
  /// Memory allocations for one operation, counted by the contestant: less is better.
  case allocations

  /// The number of frames that a fast display shows in a second.
  package static let mostFrames = 120.0

  /// The unit in the head of a table.
  package var unit: String {
    switch self {
    case .cost, .waits: "ns"
    case .throughput: "Mops/s"
    case .handOffs: "M/s"
    case .frames: "fps"
    case .bytes: "B"
    case .allocations: "allocs"
    }
  }

  /// Whether a smaller figure is better.
  package var isLessBetter: Bool {
    switch self {
    case .cost, .waits, .bytes, .allocations: true
    case .throughput, .handOffs, .frames: false
    }
  }

  /// Whether the figures are counts, which other programs on the machine don't affect.
  package var isCounted: Bool { self == .bytes || self == .allocations }

  /// The figure of one round.
  package func value(of round: Round) -> Double {
    switch self {
    case .cost: round.nanosecondsPerOperation
    case .throughput, .handOffs: 1_000 / round.nanosecondsPerOperation
    case .waits: Double(round.longestWait)
    case .frames: min(Self.mostFrames, 1e9 / round.nanosecondsPerOperation)
    case .bytes, .allocations: round.countPerOperation
    }
  }
}
