#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The monotonic clock with which the locks measure their timeouts.
package enum MonotonicClock {
  /// The current time of the clock, in nanoseconds.
  package static var now: UInt64 { Platform.monotonicNanoseconds() }

  /// Blocks the calling thread for `duration`, or for less if a signal interrupts the sleep.
  ///
  /// Don't use this function for synchronization: the result of a test must not depend on the duration.
  package static func sleep(_ duration: Duration) {
    var time = timespec()
    time.tv_sec = Int(duration.components.seconds)
    time.tv_nsec = Int(duration.components.attoseconds / 1_000_000_000)
    // Sound: `time` is a local variable, and `nanosleep` does not keep the pointer.
    unsafe nanosleep(&time, nil)
  }
}
