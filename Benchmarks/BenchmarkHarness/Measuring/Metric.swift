/// What the figures of a contest are.
package enum Metric: String, Sendable, Codable {
  /// Nanoseconds for one operation on one thread: less is better.
  case cost
  /// Million operations per second over all threads: more is better.
  case throughput
  /// How long one operation waited, which the contestant measures itself: less is better. The figure of a
  /// round is the longest wait in it.
  case waits
  /// Million hand-offs per second between threads that wait for one another, started by one worker: more is
  /// better.
  case handOffs
  /// Frames per second, of which an operation is one; no display shows more than `mostFrames`: more is
  /// better.
  case frames
  /// Bytes of memory for one operation, which the contestant's batches return: less is better.
  case bytes
  /// Allocations of memory for one operation, which the contestant's batches return: less is better.
  case allocations

  /// What a fast display shows in a second.
  package static let mostFrames = 120.0

  /// As printed over a column.
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

  /// The greatest figure that there can be, with its name.
  package var cap: (value: Double, name: String)? {
    guard self == .frames else { return nil }
    let most = Figures.fixed(Self.mostFrames, 0)
    return (Self.mostFrames, "\(most) fps: the display shows no more, so all that reach it look alike")
  }

  /// The figures in words, for titles and axes.
  package var quantity: String {
    switch self {
    case .cost: "nanoseconds for one operation"
    case .throughput: "million operations per second"
    case .waits: "wait of one operation"
    case .handOffs: "million hand-offs per second"
    case .frames: "frames per second"
    case .bytes: "bytes"
    case .allocations: "allocations for one operation"
    }
  }

  /// Whether a smaller figure is the better one.
  package var isLessBetter: Bool {
    switch self {
    case .cost, .waits, .bytes, .allocations: true
    case .throughput, .handOffs, .frames: false
    }
  }

  /// Whether the figures are counted: two runs have the same, whatever the machine does meanwhile.
  package var isCounted: Bool { self == .bytes || self == .allocations }

  /// A figure without its unit.
  package func text(_ value: Double) -> String {
    self == .bytes ? Figures.fixed(value, 0) : Figures.significant(value)
  }

  /// The figure of one round.
  package func value(of round: Round) -> Double {
    switch self {
    case .cost: round.nanosecondsPerOperation
    case .throughput, .handOffs: round.millionsPerSecond
    case .waits: Double(round.longestWait)
    case .frames: min(Self.mostFrames, 1e9 / round.nanosecondsPerOperation)
    case .bytes, .allocations: round.countPerOperation
    }
  }
}
