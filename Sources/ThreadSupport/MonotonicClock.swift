internal import LockSupport

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The clock of the locks' timed operations.
package enum MonotonicClock {
  /// The current time of the clock, in nanoseconds.
  package static var now: UInt64 { WaitHooks.now }

  /// Runs `body` and measures how long it takes.
  package static func measure<Result>(_ body: () -> Result) -> (result: Result, elapsed: Duration) {
    let start = now
    let result = body()
    return (result, .nanoseconds(now - start))
  }

  /// Sleeps for `duration`.
  ///
  /// Don't use it for synchronisation: the result of a test must not depend on the duration.
  package static func sleep(_ duration: Duration) {
    var time = timespec()
    time.tv_sec = Int(duration.components.seconds)
    time.tv_nsec = Int(duration.components.attoseconds / 1_000_000_000)
    // Sound: `time` outlives the call.
    unsafe nanosleep(&time, nil)
  }
}
