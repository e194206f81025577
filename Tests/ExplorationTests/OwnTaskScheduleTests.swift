#if Exploration
  import AsyncLocks
  import Exploration
  import Observers
  import Protectors
  import Testing

  /// Explores the package's asynchronous functions, as tasks call them.
  @Suite(.serialized) struct OwnTaskScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)

    /// Counts the tasks in a critical section that awaits.
    private final class Section: Sendable {
      private let inside = ExclusiveProtector(0)
      private let run: Execution
      private let limit: Int

      init(_ run: Execution, limit: Int = 1) {
        self.run = run
        self.limit = limit
      }

      func body() async {
        enter()
        await Task.yield()
        leave()
      }

      private func enter() {
        let count = inside.withLock {
          $0 += 1
          return $0
        }
        run.expect(count <= limit, "at most \(limit) at a time")
      }

      private func leave() { inside.withLock { $0 -= 1 } }
    }

    @Test(arguments: [2, 3]) func anAsyncMutexExcludes(tasks: Int) throws {
      try check("AsyncMutex, \(tasks) tasks", tasks == 2 ? Self.bounded : .random(executions: 2_000)) { run in
        let mutex = AsyncMutex(0)
        let section = Section(run)
        let tasks = (0..<tasks).map { _ in
          run.task {
            await mutex.withLock { value in
              value += 1
              await section.body()
            }
          }
        }
        for task in tasks { task.join() }
        run.expect(run.task { await mutex.withLock { $0 } }.join() == tasks.count)
      }
    }

    @Test func aCancelledTaskLeavesAnAsyncMutex() throws {
      try check("AsyncMutex, cancelled", .random(executions: 2_000)) { run in
        let mutex = AsyncMutex(0)
        let one = run.task(mayBeCancelled: true) { _ = await mutex.withLockUnlessCancelled { $0 += 1 } }
        let two = run.task { await mutex.withLock { $0 += 1 } }
        one.join()
        two.join()
        run.expect(run.task { await mutex.withLock { $0 } }.join() >= 1)
      }
    }

    @Test(arguments: [2, 3]) func anAsyncSemaphoreLimits(tasks: Int) throws {
      let strategy = tasks == 2 ? Self.bounded : .random(executions: 2_000)
      try check("AsyncSemaphore, \(tasks) tasks", strategy) { run in
        let semaphore = AsyncSemaphore(permits: tasks - 1)
        let section = Section(run, limit: tasks - 1)
        let tasks = (0..<tasks).map { _ in
          run.task { await semaphore.withPermit { await section.body() } }
        }
        for task in tasks { task.join() }
      }
    }

    @Test(arguments: [1, 2]) func aPredicateIsServed(waiting: Int) throws {
      let strategy = waiting == 1 ? Self.bounded : .random(executions: 2_000)
      try check("a predicate, \(waiting) waiting tasks", strategy) { run in
        let value = ExclusiveProtector(0)
        let waiters = (0..<waiting).map { _ in
          run.task { await value.withLock(waitingUntil: { $0 > 0 }) { $0 } }
        }
        let setting = run.task { value.withLock { $0 = 1 } }
        setting.join()
        for waiter in waiters { run.expect(waiter.join() == 1, "each task is served") }
      }
    }

    @Test func aCancelledTaskLeavesAPredicate() throws {
      try check("a predicate, cancelled", .random(executions: 2_000)) { run in
        let value = ExclusiveProtector(0)
        let waiting = run.task(mayBeCancelled: true) {
          await value.withLock(waitingUntil: { $0 > 0 }) { $0 }
        }
        // The cancellation ends the wait.
        run.expect(waiting.join() == nil)
      }
    }

    @MainActor private final class Table {
      private(set) var rows: [Int] = []
      nonisolated init() {}
      func show(_ row: Int) { rows.append(row) }
    }

    @Test func aDeliveryReachesTheMainActorInOrder() throws {
      try check("OrderedDelivery, main actor", .random(executions: 2_000)) { run in
        let table = Table()
        let delivery = OrderedDelivery<Int> { table.show($0) }
        let posting = run.task {
          _ = delivery.post(1)
          await Task.yield()
          _ = delivery.post(2)
        }
        let other = run.task { _ = delivery.post(3) }
        posting.join()
        other.join()
        let rows = run.task { @MainActor in
          while table.rows.count < 3 { await Task.yield() }
          return table.rows
        }
        let shown = rows.join()
        run.expect(shown.filter { $0 < 3 } == [1, 2] && shown.contains(3), "rows \(shown)")
      }
    }
  }
#endif
