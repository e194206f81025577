import CTestSupport
import LocksUnderTest
import TestSupport
import Testing

/// Tests that threads sleep during a long wait, and so leave their processor to other threads.
@Suite(.enabled(if: test_sleeps() >= 0, "the system does not count how often a thread sleeps"))
struct LongWaitTests {
  /// The waits on all primitives except the locks whose threads never sleep.
  private static let sleepingWaits = Wait.all.filter { wait in
    !LockUnderTest.all.contains {
      $0.exemptions.contains(.neverSleeps) && wait.description.hasPrefix($0.primitive)
    }
  }

  @Test("A thread that waits for long sleeps", arguments: sleepingWaits)
  func sleeps(wait: Wait) {
    // A waiting thread that is scheduled late may not have to wait at all, so the test makes up to 100
    // attempts.
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
