import Foundation
import Snapshots
import TestSupport
import Testing
import UnfairLocks

/// Tests that recursion traps with a message; each test runs in a process of its own.
@Suite struct SnapshotCrashTests {
  @Test func publishingInsideAnUpdateTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let number = Snapshot(1)
      number.update { _ in number.publish(2) }
    }
    #expect(
      result?.standardErrorContent.trap == "Snapshot: published inside the body of its own update; "
        + "change the value that the body gets, or publish after update has returned")
  }

  @Test func updatingInsideAnUpdateTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let number = Snapshot(1)
      number.update { _ in number.update { $0 += 1 } }
    }
    #expect(
      result?.standardErrorContent.trap == "Snapshot: updated inside the body of its own update; "
        + "change the value that the body gets, or publish after update has returned")
  }

  @Test func theFirstReadTrapsWithoutAKeyForThreadLocalValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UnfairLock().withLock {}  // With `DeadlockDetection`, it needs a key, too.
      var key = pthread_key_t()
      while pthread_key_create(&key, nil) == 0 {}
      _ = Snapshot(1).current
    }
    #expect(
      result?.standardErrorContent.trap
        == "Snapshot: the system refused a key for thread-local values or a fork handler (error \(EAGAIN)); "
        + "make fewer keys with pthread_key_create")
  }
}
