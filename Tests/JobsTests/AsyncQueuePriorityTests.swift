@testable import InterlockCore
import Jobs
import TestSupport
import Testing

/// Tests that items get the priority of the tasks that wait for them, or for later ones.
///
/// Without that, they work forever, until the watchdog ends the test.
@Suite struct AsyncQueuePriorityTests {
  /// Adds items with background priority that run until they have the lent one, and then returns the last one.
  ///
  /// Returns once as many as may run do.
  private func fill(_ queue: AsyncQueue, count: Int, running: Int) async -> AsyncQueue.Item<Void> {
    let begun = RelaxedCounter()
    let last = await Task.detached(priority: .background) {
      var last: AsyncQueue.Item<Void>?
      for _ in 0..<count {
        last = queue.add {
          begun.add(1)
          await untilPriority(is: .lent)
        }
      }
      return last!
    }.value
    while begun.value < running { await Task.yield() }
    return last
  }

  @Test(arguments: [1, 2])
  func theItemsBeforeAnAwaitedOneGetItsPriority(concurrent: Int) async throws {
    let queue = AsyncQueue(maxConcurrentItems: concurrent)
    let last = await fill(queue, count: 5, running: concurrent)
    try await Task.detached(priority: .lent) { try await last.value }.value
    await queue.finish()
  }

  @Test func anEscalationWhileATaskAwaitsAnItemIsLent() async throws {
    let queue = AsyncQueue()
    let isLent = TaskGate()
    let last = await Task.detached(priority: .background) {
      _ = queue.add {
        await untilPriority(is: .high)
        await isLent.open()
        await untilPriority(is: .lent)
      }
      return queue.add {}
    }.value
    let waiter = Task.detached(priority: .high) { try await last?.value }
    // The handler is registered before the priority is lent.
    await isLent.pass()
    waiter.escalatePriority(to: .lent)
    try await waiter.value
    await queue.finish()
  }

  /// The same item is awaited at a low priority first, and others later.
  @Test func eachPriorityIsLent() async throws {
    let queue = AsyncQueue()
    let begins = TaskGate()
    let seen = Mailbox<TaskPriority>(capacity: 10)
    _ = await Task.detached(priority: .background) {
      queue.add {
        await begins.open()
        for priority in [TaskPriority.high, .lent] {
          await untilPriority(is: priority)
          _ = try await seen.send(priority)
        }
      }
    }.value
    await begins.pass()
    let second = await Task.detached(priority: .background) { queue.add { await untilPriority(is: .lent) } }
      .value!
    let third = await Task.detached(priority: .background) { queue.add { Task.currentPriority } }.value!
    let waiter = Task.detached(priority: .high) { try await third.value }
    #expect(try await seen.receive() == .high)
    let other = Task.detached(priority: .lent) { try await second.value }
    #expect(try await seen.receive() == .lent)
    try await other.value
    #expect(try await waiter.value >= .high)
    await queue.finish()
  }

  @Test func finishLendsItsPriority() async {
    let queue = AsyncQueue()
    _ = await fill(queue, count: 4, running: 1)
    await Task.detached(priority: .lent) { await queue.finish() }.value
  }

  @Test func aWaitForRoomLendsItsPriority() async throws {
    let queue = AsyncQueue(maxWaitingItems: 1)
    _ = await fill(queue, count: 2, running: 1)
    let added = try await Task.detached(priority: .lent) {
      try await queue.addWaitingForRoom { Task.currentPriority }
    }.value
    #expect(try await added?.value != .background)
    await queue.finish()
  }

  @Test func anItemThatNobodyAwaitsKeepsItsPriority() async throws {
    let queue = AsyncQueue()
    let priorities = Mailbox<TaskPriority>(capacity: 1)
    let added = await Task.detached(priority: .background) {
      queue.add { _ = try? await priorities.send(Task.currentPriority) }
    }.value
    let room = try await Task.detached(priority: .lent) { try await queue.addWaitingForRoom {} }.value
    #expect(added != nil && room != nil)
    #expect(try await priorities.receive() != .lent)
    await queue.finish()
  }
}
