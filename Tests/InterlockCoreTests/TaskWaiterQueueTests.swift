@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport
import Testing

@Suite struct TaskWaiterQueueTests {
  private let queue = TaskWaiterQueue()

  private func join(_ queue: TaskWaiterQueue) -> TaskWaiter {
    let waiter = TaskWaiter()
    queue.withList { $0.append(waiter) }
    return waiter
  }

  @Test func oneOfServingAndGivingUpTakesTheWaiter() {
    let waiter = join(queue)
    #expect(queue.giveUp(waiter, .cancelled) === waiter)
    #expect(queue.giveUp(waiter, .timedOut) == nil)
    #expect(queue.withList { $0.removeFirst() } == nil)
    #expect(waiter.outcomeAfterWaiting == .cancelled)
  }

  @Test func aServedWaiterDoesNotGiveUp() {
    let waiter = join(queue)
    #expect(queue.withList { $0.removeFirst() } === waiter)
    #expect(queue.giveUp(waiter, .cancelled) == nil)
    #expect(waiter.outcomeAfterWaiting == .served)
  }

  @Test func aCancelledTaskGivesUpImmediately() async {
    let outcome = await inCancelledTask { await queue.wait(join(queue), unlessCancelledUntil: .never) }
    #expect(outcome == .cancelled)
    #expect(queue.count == 0)
  }

  /// A wait whose waiter has been served must not suspend the task.
  ///
  /// Otherwise the other task would run on the main actor meanwhile, and set `hasRun`.
  @Test @MainActor func aTaskThatIsServedAlreadyDoesNotLeaveItsActor() async {
    let waiter = join(queue)
    queue.withList { $0.removeFirst() }?.resume()
    var hasRun = false
    let other = Task { hasRun = true }
    let outcome = await queue.wait(waiter, unlessCancelledUntil: .never)
    #expect(outcome == .served && !hasRun)
    await other.value
  }

  @Test func aWaitingTaskIsCancelled() async {
    let task = Task { await queue.wait(join(queue), unlessCancelledUntil: .never) }
    while queue.count == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test func aWaitEndsAtItsDeadline() async {
    let deadline = Deadline(after: .milliseconds(1))
    let outcome = await queue.wait(join(queue), unlessCancelledUntil: deadline)
    #expect(outcome == .timedOut)
    #expect(deadline.hasPassed)
  }

  /// A task that is served must not wait for its deadline, and must leave no entry in the timer.
  ///
  /// Such an entry would keep the waiter alive.
  @Test func aServedTaskReleasesItsEntry() async {
    weak var ended: TaskWaiter?
    do {
      let waiter = join(queue)
      ended = waiter
      let deadline = Deadline(after: .seconds(3600))
      async let outcome = queue.wait(waiter, unlessCancelledUntil: deadline)
      while !queue.withList({ !$0.isEmpty }) { await Task.yield() }
      queue.withList { $0.removeFirst() }?.resume()
      #expect(await outcome == .served)
    }
    #expect(ended == nil)
  }
}
