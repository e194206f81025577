/// The clock by which the workers of a `RowsViewModel` sleep.
///
/// Tests use a clock that they advance by hand.
public protocol RowsClock: Sendable {
  /// Sleeps for a duration, or until the flag is set.
  ///
  /// - Parameters:
  ///   - duration: The time to sleep; never negative.
  ///   - flag: Ends the sleep when it is set.
  func sleep(for duration: Duration, unless flag: StopFlag)
}

/// The system's monotonic clock.
public struct MonotonicRowsClock: RowsClock {
  /// Makes a clock.
  public init() {}

  /// Sleeps in the kernel until the time has passed or the flag is set.
  ///
  /// - Parameters:
  ///   - duration: The time to sleep; a negative duration traps.
  ///   - flag: Ends the sleep when it is set.
  public func sleep(for duration: Duration, unless flag: StopFlag) {
    flag.waitUntilSet(timeout: duration)
  }
}
