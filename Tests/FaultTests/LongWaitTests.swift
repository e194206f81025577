import CTestSupport
import TestSupport
import Testing

/// Tests that waiting threads leave their processor to other threads.
@Suite(.enabled(if: test_sleeps() >= 0, "the system does not count how often a thread sleeps"))
struct LongWaitTests {
  /// A spin lock's threads never sleep.
  private static let sleepingWaits = Wait.all.filter { !$0.description.hasPrefix("SpinReadWriteLock") }

  @Test("A thread that waits for long sleeps", arguments: sleepingWaits)
  func sleeps(wait: Wait) {
    // If the waiting thread is late, it finds that it need not wait. Then the test tries again.
    let hasSlept = (0..<100).contains { _ in
      let attempt = wait.make()
      let isHeld = Signal()
      return race(threads: 2) { index -> Bool in
        if index == 0 {
          attempt.hold {
            isHeld.send()
            MonotonicClock.sleep(.milliseconds(2))
          }
          return true
        }
        isHeld.wait()
        let before = test_sleeps()
        return attempt.wait() && test_sleeps() > before
      }[1]
    }
    #expect(hasSlept)
  }
}
