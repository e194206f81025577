/// The maximum time that a timed operation waits: a nonnegative duration.
@usableFromInline
@frozen
package struct Timeout: Sendable {
  @usableFromInline
  let duration: Duration

  /// Makes a timeout of `duration`.
  ///
  /// - Parameters:
  ///   - duration: The time to wait. A negative duration traps.
  ///   - primitive: The type that the trap message names.
  @_alwaysEmitIntoClient
  package init(_ duration: Duration, for primitive: @autoclosure () -> Primitive) {
    if duration < .zero { Self.trapNegative(duration, primitive()) }
    self.duration = duration
  }

  /// Whether the timeout is zero, which means that the timed operation tries once, without waiting.
  @_alwaysEmitIntoClient
  package var isZero: Bool { duration == .zero }

  /// The deadline of a wait that begins now.
  @usableFromInline
  package func deadlineFromNow() -> Deadline {
    Deadline(after: duration)
  }

  @usableFromInline
  @inline(never)
  static func trapNegative(_ duration: Duration, _ primitive: Primitive) -> Never {
    misuse(
      primitive, "a timeout of \(text(of: duration)) is negative", "pass .zero to try once without waiting")
  }
}

/// A point on the monotonic clock at which a timed wait ends.
///
/// On Linux the clock is CLOCK_MONOTONIC: it never jumps, and does not count time in which the machine is
/// suspended.
@frozen
public struct Deadline: Sendable, Equatable {
  /// The time on the monotonic clock, in nanoseconds; `UInt64.max` means that the deadline never passes.
  @usableFromInline
  package let nanoseconds: UInt64

  @_alwaysEmitIntoClient
  @_transparent
  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  /// The current time on the monotonic clock, in nanoseconds.
  package static var now: UInt64 {
    if let thread = ExploredThreads.current { return thread.now() }
    return Platform.monotonicNanoseconds()
  }

  /// A cheap approximation of `now`, which is late by up to ten milliseconds.
  package static var coarseNow: UInt64 { Platform.coarseNanoseconds() }

  /// The deadline that has always passed: an attempt with this deadline never waits.
  @_alwaysEmitIntoClient
  @_transparent
  public static var passed: Deadline { Deadline(nanoseconds: 0) }

  /// The deadline that never passes.
  @_alwaysEmitIntoClient
  @_transparent
  public static var never: Deadline { Deadline(nanoseconds: .max) }

  /// Makes the deadline that is `duration` after `now`; `never` if the clock can't represent that time.
  ///
  /// `duration` must not be negative.
  package init(after duration: Duration, from now: UInt64 = Deadline.now) {
    // Above this, `components` traps: its number of seconds has 64 bits, and a `Duration` has more.
    guard duration < .seconds(Int64.max) else {
      self = .never
      return
    }
    let (seconds, attoseconds) = duration.components
    // The fraction is rounded up: a wait may be longer than requested, never shorter.
    let fraction = UInt64((attoseconds + 999_999_999) / 1_000_000_000)
    let (whole, wholeOverflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (total, totalOverflow) = whole.addingReportingOverflow(fraction)
    let (end, endOverflow) = total.addingReportingOverflow(now)
    // The system represents times as signed numbers of nanoseconds, so the latest deadline is 292 years after
    // the clock's zero.
    let isRepresentable = !wholeOverflow && !totalOverflow && !endOverflow && end <= UInt64(Int64.max)
    self = isRepresentable ? Deadline(nanoseconds: end) : .never
  }

  /// The earlier of this deadline and the point that is `duration` from now.
  package func butNotLater(than duration: Duration) -> Deadline {
    Deadline(nanoseconds: min(nanoseconds, Deadline(after: duration).nanoseconds))
  }

  /// The time until the deadline: zero when it has passed, and `nil` if it never passes.
  ///
  /// A lock of one's own sleeps for that time.
  public var remaining: Duration? {
    if self == .never { return nil }
    let now = nanoseconds == 0 ? 0 : Self.now
    return .nanoseconds(nanoseconds > now ? nanoseconds - now : 0)
  }

  /// Whether the clock has reached the deadline.
  public var hasPassed: Bool {
    self != .never && Self.now >= nanoseconds
  }
}
