/// What the figures of a contest are.
package enum Metric: String, Sendable {
  /// Nanoseconds for one operation on one thread: less is better.
  case cost
  /// Million operations per second over all threads: more is better.
  case throughput
  /// How long one operation waited, which the contestant measures itself: less is better. The figure of a round is the
  /// longest wait in it.
  case waits
  /// Million hand-offs per second between threads that wait for one another, started by one worker: more is better.
  case handOffs

  /// As printed over a column.
  package var unit: String {
    switch self {
    case .cost: "ns"
    case .throughput: "Mops/s"
    case .waits: "ns"
    case .handOffs: "M/s"
    }
  }

  /// The figure of one round.
  package func value(of round: Round) -> Double {
    switch self {
    case .cost: round.nanosecondsPerOperation
    case .throughput, .handOffs: round.millionsPerSecond
    case .waits: Double(round.longestWait)
    }
  }
}
