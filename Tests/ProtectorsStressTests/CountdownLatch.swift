import Protectors

/// Lets threads wait until something has happened a number of times, written with nothing but `Protector`.
struct CountdownLatch: Sendable {
  private let missing: Protector<Int>

  init(count: Int) {
    missing = Protector(count)
  }

  /// It has happened once more.
  func countDown() {
    _ = missing.withWriteLock(when: { $0 > 0 }) { $0 -= 1 }
  }

  /// Waits until it has happened often enough; `false` when the time passed first.
  func wait(timeout: Duration? = nil) -> Bool {
    missing.withReadLock(waitingUntil: { $0 == 0 }, timeout: timeout) { _ in }
  }
}
