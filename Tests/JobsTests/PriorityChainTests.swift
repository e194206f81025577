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
}
