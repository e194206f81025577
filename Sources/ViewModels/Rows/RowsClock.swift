/// The clock by which the workers of a `RowsViewModel` sleep.
///
/// Tests use a clock that they advance by hand.
public protocol RowsClock: Sendable {
  /// Sleeps for a duration, or until the channel is closed.
  ///
  /// - Parameters:
  ///   - duration: How long to sleep; not negative.
  ///   - channel: Ends the sleep when it is closed.
  func sleep(for duration: Duration, unless channel: StopChannel)
}

/// The system's monotonic clock.
public struct MonotonicRowsClock: RowsClock {
  /// Makes a clock.
  public init() {}

  /// Sleeps in the kernel until the time has passed or the channel is closed.
  ///
  /// - Parameters:
  ///   - duration: How long to sleep; a negative duration traps.
  ///   - channel: Ends the sleep when it is closed.
  public func sleep(for duration: Duration, unless channel: StopChannel) {
    channel.waitUntilClosed(timeout: duration)
  }
}
