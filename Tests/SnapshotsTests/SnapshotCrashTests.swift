import Foundation
import Snapshots
import TestSupport
import Testing
import UnfairLocks

/// Tests every misuse that traps; each is committed in a process of its own.
@Suite struct SnapshotCrashTests {
  private static let changing = "change the value that the body gets, or publish after update has returned"

  private static let misuses = [
    Misuse("Snapshot: published inside the body of its own update", changing) {
      let number = Snapshot(1)
      number.update { _ in number.publish(2) }
    },
    Misuse("Snapshot: updated inside the body of its own update", changing) {
      let number = Snapshot(1)
      number.update { _ in number.update { $0 += 1 } }
    },
    Misuse(
      "Snapshot: the system refused a key for thread-local values or a fork handler (error \(EAGAIN))",
      "make fewer keys with pthread_key_create"
    ) {
      UnfairLock().withLock {}  // With `DeadlockDetection`, it needs a key, too.
      var key = pthread_key_t()
      while pthread_key_create(&key, nil) == 0 {}
      _ = Snapshot(1).current
    },
  ]

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
