internal import Synchronization

/// Records the longest time that any thread has waited to read, and to write.
///
/// Tests print these times and don't check them, because they depend on what else the machine does.
package final class LongestWaits: Sendable, CustomStringConvertible {
  private let reading = Atomic<UInt64>(0)
  private let writing = Atomic<UInt64>(0)

  package init() {}

  /// Records a wait to read that began at `start` on the monotonic clock and ends now.
  package func noteReading(since start: UInt64) {
    reading.max(MonotonicClock.now - start, ordering: .relaxed)
  }

  /// Records a wait to write that began at `start` on the monotonic clock and ends now.
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
