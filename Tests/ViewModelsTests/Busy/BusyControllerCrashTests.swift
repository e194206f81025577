import TestSupport
import Testing
import ViewModels

@Suite struct BusyControllerCrashTests {
  @Test("a controller that goes while it is active traps by name")
  func deallocatedWhileActive() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let controller = BusyController(of: DataTransform())
        controller.activate()
      }
    }
    #expect(
      Trap.message(in: result?.standardErrorContent)
        == "Lifecycle \"BusyController\": deallocated while active; "
        + "call invalidate() before releasing the last reference")
  }
}
