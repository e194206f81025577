import Lifecycles
import TestSupport
import Testing

/// Tests that misuse traps with a message; each test runs in a process of its own.
@Suite struct LifecycleCrashTests {
  @Test("deallocated while active, it traps by name")
  func deallocatedWhileActiveTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Lifecycle(label: "Forgotten").activate()
    }
    #expect(
      result?.standardErrorContent.trap == "Lifecycle \"Forgotten\": deallocated while active; "
        + "call invalidate() before releasing the last reference")
  }

  // With the trait `DeadlockDetection`, the detector reports the cycle before the lifecycle traps.
  #if !DeadlockDetection
    @Test(
      "deliveries that invalidate one another's objects in a cycle trap, also inside other deliveries",
      arguments: [(2, 0), (3, 0), (2, 20)])
    func crossingInvalidationsTrap(objects: Int, inner: Int) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [objects = objects as Int, inner = inner as Int] in
        Crossing.run(objects: objects, inner: inner)
      }
      #expect(result?.standardErrorContent.trap == Crossing.message)
    }

  #endif
}

#if !DeadlockDetection
  /// Each of several threads is in a body of one lifecycle's `whileActive`, and invalidates the next thread's
  /// lifecycle.
  private enum Crossing {
    static let message =
      "Lifecycle \"Crossing\": waits for a delivery whose thread waits for a delivery on this thread; "
      + "invalidate other objects outside deliveries, or on another thread"

    /// - Parameter inner: The number of other deliveries inside which each thread invalidates.
    static func run(objects count: Int, inner: Int) {
      let lifecycles = (0..<count).map { _ in activeLifecycle("Crossing") }
      let started = MeetingPoint(parties: count)
      race(threads: count) { index in
        lifecycles[index].whileActive {
          deliver(inner) {
            started.meet()
            lifecycles[(index + 1) % count].invalidate()
          }
        }
        return ()
      }
    }

    /// Runs `body` inside `depth` nested deliveries, each to a lifecycle of its own.
    private static func deliver(_ depth: Int, _ body: () -> Void) {
      guard depth > 0 else { return body() }
      let lifecycle = activeLifecycle()
      lifecycle.whileActive { deliver(depth - 1, body) }
      lifecycle.invalidate()
    }
  }
#endif
