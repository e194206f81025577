import AsyncLocks
@testable import InterlockCore
import Jobs
import LazyInitialization
import TestSupport
import Testing

/// Tests chains of tasks that wait for different kinds of objects, each at background priority.
@Suite struct PriorityChainTests {
  private struct Chain: Sendable {
    let mutex = AsyncMutex(0)
    let cell = Cell()
    let queue = AsyncQueue()
  }

  private final class Cell: Sendable {
    let once = OnceCell<Int>()
  }

  /// A task of high priority waits for an item, that for the task that makes a value, and that for the owner of a mutex.
  @Test func aPriorityPassesFromAnItemThroughACellToAMutex() async throws {
    for _ in 0..<StressSize.pick(quick: 50, full: 1_000) {
      let chain = Chain()
      let begun = (0..<3).map { _ in TaskGate() }
      let owner = Task.detached(priority: .background) {
        await chain.mutex.withLock { _ in
          await begun[0].open()
          await untilPriority(is: .lent)
        }
      }
      await begun[0].pass()
      let runner = Task.detached(priority: .background) {
        try await chain.cell.once.value(orInitialize: {
          await begun[1].open()
          return await chain.mutex.withLock { _ in Int(Task.currentPriority.rawValue) }
        })
      }
      await begun[1].pass()
      let item = await Task.detached(priority: .background) {
        chain.queue.add {
          await begun[2].open()
          let lent = try await chain.cell.once.value(orInitialize: { 0 })
          #expect(Task.currentPriority >= .lent)
          return lent
        }
      }.value
      await begun[2].pass()
      let lent = try await Task.detached(priority: .lent) { try await item?.value }.value
      #expect(lent == Int(TaskPriority.lent.rawValue))
      _ = try await runner.value
      await owner.value
      await chain.queue.finish()
    }
  }

  /// The elements of a loop are child tasks, which the runtime escalates with their parent.
  ///
  /// Those that begin later have no priority above `high`: the runtime passes on none.
  @Test func aLoopPassesAPriorityToItsElements() async {
    let begun = RelaxedCounter()
    let loop = Task.detached(priority: .background) {
      await (0..<4).concurrentMap(limit: 2) { _ in
        begun.add(1)
        await untilPriority(is: .high)
      }
    }
    while begun.value < 2 { await Task.yield() }
    _ = await Task.detached(priority: .lent) { await loop.value }.value
  }
}
