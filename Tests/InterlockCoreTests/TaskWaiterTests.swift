import TestSupport
import Testing

@testable import InterlockCore
@testable import InterlockWaits

/// Tests the state machine of a waiter, and its continuations.
@Suite struct TaskWaiterTests {
  private let waiter = TaskWaiter()

  @Test func aSuspendedWaiterReturnsItsContinuation() {
    #expect(waiter.suspend(64))
    #expect(waiter.wake() == 64)
  }

  @Test func aWaiterThatIsResumedFirstDoesNotSuspend() {
    #expect(waiter.wake() == nil)
    #expect(!waiter.suspend(64))
  }

  @Test func aTaskThatIsResumedFirstGoesOn() async {
    waiter.resume()
    await waiter.waitUntilResumed()
    #expect(waiter.outcomeAfterWaiting == .served)
  }

  /// Only resumptions inside one another count as nested, and go through the timer beyond a limit.
  @Test func laterResumptionsAreNotNested() {
    for _ in 0..<100 {
      let waiter = TaskWaiter()
      waiter.resume()
      #expect(waiter.isResumed)
    }
  }

  /// The task must be resumed once, whether `resume` is called before, while or after the task suspends.
  @Test func aTaskIsResumedWheneverTheResumeComes() async {
    for _ in 0..<2_000 {
      let waiter = TaskWaiter()
      async let resumed: Void = waiter.resume()
      await waiter.waitUntilResumed()
      await resumed
    }
  }

  @MainActor
  @Test func aTaskOfTheMainActorResumesThere() async {
    Task.detached { waiter.resume() }
    await waiter.waitUntilResumed()
    MainActor.assertIsolated()
  }
}
