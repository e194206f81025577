/// What the workers of a `RowsViewModel` sleep by.
///
/// Tests put one in its place that they move on by hand.
public protocol RowsClock: Sendable {
  /// Returns when the time has passed, or at once when the channel is closed.
  ///
  /// - Parameters:
  ///   - duration: How long to sleep; not negative.
  ///   - channel: What ends the sleep.
  func sleep(for duration: Duration, unless channel: StopChannel)
}

/// The system's monotonic clock.
public struct MonotonicRowsClock: RowsClock {
  /// Makes a clock.
  public init() {}

  /// Sleeps in the kernel until the time has passed or the channel is closed.
  ///
  /// - Parameters:
  ///   - duration: How long to sleep; a negative one traps.
  ///   - channel: What ends the sleep.
  public func sleep(for duration: Duration, unless channel: StopChannel) {
    channel.waitUntilClosed(timeout: duration)
  }
}
