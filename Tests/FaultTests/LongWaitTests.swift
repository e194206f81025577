import CTestSupport
import LocksUnderTest
import Synchronization
import TestSupport
import Testing

/// Tests that threads sleep during a long wait, and so leave their processor to other threads.
@Suite(
  .enabled(if: test_sleeps_of(test_thread()) >= 0, "the system does not count how often a thread sleeps"))
struct LongWaitTests {
  /// The waits on all primitives except the locks whose threads never sleep.
  private static let sleepingWaits = Wait.all.filter { wait in
    !LockUnderTest.all.contains {
      $0.exemptions.contains(.neverSleeps) && wait.description.hasPrefix($0.primitive)
    }
  }

  @Test("A thread that waits for long sleeps", arguments: sleepingWaits)
  func sleeps(wait: Wait) {
    let attempt = wait.make()
    let isHeld = Signal()
    // The waiting thread, and one more than it has slept before; 0 until it begins to wait.
    let thread = Atomic(0)
    let before = Atomic(0)
    let hasSlept = race(threads: 2) { index -> Bool in
      guard index == 0 else {
        isHeld.wait()
        thread.store(test_thread(), ordering: .relaxed)
        before.store(test_sleeps() + 1, ordering: .releasing)
        return attempt.wait()
      }
      var hasSlept = false
      attempt.hold {
        isHeld.send()
        // However busy the machine is, the wait ends only when the thread has slept, or is found not to.
        let end = ContinuousClock.now + .seconds(120)
        repeat {
          MonotonicClock.sleep(.milliseconds(1))
          let begun = before.load(ordering: .acquiring)
          hasSlept = begun > 0 && test_sleeps_of(thread.load(ordering: .relaxed)) >= begun
        } while !hasSlept && ContinuousClock.now < end
      }
      return hasSlept
    }
    #expect(hasSlept == [true, true])
  }
}
