import Lifecycles
import TestSupport
import Testing

/// Misuse traps and says so, each in a process of its own.
@Suite struct LifecycleCrashTests {
  @Test("Requirement 23: deallocated while active, it traps by name")
  func deallocatedWhileActiveTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trap.orDie()
      Lifecycle("Forgotten").activate()
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "Lifecycle \"Forgotten\": deallocated while active; "
        + "call invalidate() before letting go of the last reference")
  }
}
