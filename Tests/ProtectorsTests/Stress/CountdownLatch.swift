import Protectors

/// A countdown latch, written with `Protector` alone.
struct CountdownLatch: Sendable {
  private let missing: Protector<Int>

  init(count: Int) {
    missing = Protector(count)
  }

  /// Counts down by one, but not below 0.
  func countDown() {
    missing.withWriteLock { if $0 > 0 { $0 -= 1 } }
  }

  /// Waits until the count is 0; a timeout of `nil` sets no limit.
  ///
  /// Returns `false` when the timeout expires first.
  func wait(timeout: Duration? = nil) -> Bool {
    missing.withReadLock(waitingUntil: { $0 == 0 }, timeout: timeout) { _ in }
  }
}
