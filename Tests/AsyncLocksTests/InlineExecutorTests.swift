import InterlockCore
import InterlockWaits
import TestSupport
import Testing

@testable import AsyncLocks

/// Tests tasks whose executor runs them on the stack of the thread that resumes them.
@Suite struct InlineExecutorTests {
  /// If each task resumed the next one on its own stack, so many tasks would overflow the stack.
  private let count = 30_000

  @Test func aMutexServesAnyNumberOfTasks() async {
    let mutex = AsyncMutex<[Int]>([])
    await withTaskGroup { group in
      await mutex.withLock { _ in
        start(count, in: &group) { number in await mutex.withLock { $0.append(number) } }
      }
    }
    #expect(await mutex.withLock { $0 } == Array(0..<count))
    #expect(mutex.isAtRest)
  }

  @Test func aSemaphoreServesAnyNumberOfTasks() async {
    let semaphore = AsyncSemaphore(permits: 1)
    let served = RelaxedCounter()
    await withTaskGroup { group in
      await semaphore.withPermit {
        start(count, in: &group) { _ in await semaphore.withPermit { () -> Void in served.add(1) } }
      }
    }
    #expect(served.value == count)
    #expect(semaphore.freePermits == 1)
  }

  /// A few resumptions may nest, so a task that was resumed on the stack of another one may block its thread
  /// until the next one has run.
  @Test func someResumptionsNest() async {
    let mutex = AsyncMutex(0)
    let order = Monitor<[Int]>([])
    await withTaskGroup { group in
      await mutex.withLock { _ in
        start(3, in: &group) { number in
          await mutex.withLock { $0 += 1 }
          order.enter { $0.append(number) }
        }
      }
    }
    #expect(order.enter { $0 } == [2, 1, 0])
  }

  /// The innermost of the resumptions that nest blocks its thread until a task of the pool has run.
  @Test(.timeLimit(.minutes(10))) func oneMoreThanNestIsResumedMeanwhile() async {
    let chain = (0..<17).map { _ in TaskWaiter() }
    let hasRun = Signal()
    await withTaskGroup { group in
      group.addTask {
        await chain[16].waitUntilResumed()
        hasRun.send()
      }
      start(16, in: &group) { number in
        await chain[number].waitUntilResumed()
        chain[number + 1].resume()
        if number == 15 { hasRun.wait() }
      }
      await onAThread { chain[0].resume() }
    }
    #expect(hasRun.isSent)
  }

  /// Starts tasks on an inline executor; on the pool where the system is too old for task executors.
  private func start(
    _ count: Int, in group: inout TaskGroup<Void>, _ body: @escaping @Sendable (Int) async -> Void
  ) {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      for number in 0..<count { group.addTask { await body(number) } }
      return
    }
    let executor = InlineExecutor()
    for number in 0..<count { group.addTask(executorPreference: executor) { await body(number) } }
  }
}
