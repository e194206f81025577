internal import Synchronization

/// Records the longest time that any thread has waited to read, and to write.
///
/// Tests print these times without checking them, because they depend on the load of the machine.
package final class LongestWaits: Sendable, CustomStringConvertible {
  private let reading = Atomic<UInt64>(0)
  private let writing = Atomic<UInt64>(0)

  package init() {}

  /// Records a wait to read that began at `start` and ends now.
  ///
  /// - Parameter start: The reading of `MonotonicClock.now` when the wait began, in nanoseconds.
  package func noteReading(since start: UInt64) {
    reading.max(MonotonicClock.now - start, ordering: .relaxed)
  }

  /// Records a wait to write that began at `start` and ends now.
  ///
  /// - Parameter start: The reading of `MonotonicClock.now` when the wait began, in nanoseconds.
  package func noteWriting(since start: UInt64) {
    writing.max(MonotonicClock.now - start, ordering: .relaxed)
  }

  package var description: String {
    "longest wait to read \(Self.text(reading)), to write \(Self.text(writing))"
  }

  private static func text(_ nanoseconds: borrowing Atomic<UInt64>) -> String {
    let microseconds = nanoseconds.load(ordering: .relaxed) / 1_000
    return "\(microseconds / 1_000).\(microseconds / 100 % 10) ms"
  }
}
