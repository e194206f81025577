#if Exploration
  import Exploration
  import InterlockCore
  import Jobs
  import Protectors
  import TestSupport
  import Testing

  /// Explores items of an `AsyncQueue`, which are tasks, beside tasks that add, cancel and end.
  @Suite(.serialized) struct AsyncQueueScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)
    private static let random = ExplorationStrategy.random(executions: 2_000)

    /// The section that items enter, and the numbers of those that have begun.
    private final class Record: Sendable {
      private let numbers = ExclusiveProtector<[Int]>([])
      private let section: LimitedSection

      init(_ run: Execution, limit: Int = 1) {
        section = LimitedSection(run, limit: limit)
      }

      var begun: [Int] { numbers.withLock { $0 } }

      /// Does what an item does.
      func item(_ number: Int) async -> Int {
        numbers.withLock { $0.append(number) }
        await section.body()
        return number
      }
    }

    @Test(arguments: [1, 2]) func itemsOfTwoTasksRun(limit: Int) throws {
      try check("AsyncQueue, 2 tasks, \(limit) at a time", Self.bounded, mayEndEarly: true) { run in
        let queue = AsyncQueue(maxConcurrentItems: limit)
        let record = Record(run, limit: limit)
        let tasks = (0..<2).map { number in
          run.task { try? await queue.add { await record.item(number) }?.value }
        }
        for (number, task) in tasks.enumerated() { run.expect(task.join() == number, "an item has run") }
        run.expect(record.begun.count == 2)
        run.expectFreed(queue)
      }
    }

    @Test func itemsOfThreeTasksKeepTheirOrder() throws {
      try check("AsyncQueue, 3 tasks", Self.random) { run in
        let queue = AsyncQueue()
        let record = Record(run)
        let tasks = (0..<3).map { task in
          run.task {
            for number in 0..<2 { _ = queue.add { await record.item(10 * task + number) } }
          }
        }
        for task in tasks { task.join() }
        run.task { await queue.finish() }.join()
        let begun = record.begun
        run.expect(begun.count == 6, "each item has run")
        for task in 0..<3 {
          run.expect(begun.filter { $0 / 10 == task } == [10 * task, 10 * task + 1], "the order is \(begun)")
        }
      }
    }

    /// A task cancels an item at any moment: the item runs or is dropped, and the next one runs.
    @Test(arguments: [1, 2]) func anItemIsCancelled(cancelling: Int) throws {
      let outcomes = try results("AsyncQueue, an item cancelled, \(cancelling) tasks", Self.random) { run in
        let queue = AsyncQueue()
        let record = Record(run)
        let (item, next) = run.task {
          _ = queue.add { await record.item(0) }
          return (queue.add { await record.item(1) }, queue.add { await record.item(2) })
        }
        .join()
        let tasks = (0..<cancelling).map { _ in run.task { item?.cancel() } }
        let value = run.task { try? await item?.value }
        let last = run.task { try? await next?.value }
        for task in tasks { task.join() }
        let hasRun = value.join() != nil
        run.expect(last.join() == 2, "the queue goes on")
        run.expect(record.begun == (hasRun ? [0, 1, 2] : [0, 2]), "the items were \(record.begun)")
        run.expectFreed(queue)
        return hasRun
      }
      #expect(outcomes == [false, true])
    }

    /// An item is cancelled before the turn that its task waits for, whether that task has begun or not.
    @Test func anItemThatIsCancelledBeforeItsTurnIsDropped() throws {
      try check("AsyncQueue, an item cancelled before its turn", Self.random) { run in
        let queue = AsyncQueue()
        let record = Record(run)
        let dropped = run.task {
          let item = try? await queue.add {
            let item = queue.add { await record.item(1) }
            item?.cancel()
            return item
          }?.value
          return await ending { try await item??.value } == .cancelled
        }
        let next = run.task { try? await queue.add { await record.item(2) }?.value }
        run.expect(dropped.join(), "the item was dropped")
        run.expect(next.join() == 2, "the queue goes on")
        run.expect(record.begun == [2])
      }
    }

    /// An item that was accepted has ended when `finish` returns, also in a cancelled task.
    @Test(arguments: [false, true]) func aTaskAddsBesideAnEnd(mayBeCancelled: Bool) throws {
      let name = "AsyncQueue, added beside the end\(mayBeCancelled ? ", cancelled" : "")"
      let outcomes = try results(name, mayBeCancelled ? Self.random : Self.bounded, mayEndEarly: true) {
        run in
        let queue = AsyncQueue()
        let record = Record(run)
        let adding = run.task { queue.add { await record.item(1) } != nil }
        let finishing = run.task(mayBeCancelled: mayBeCancelled) {
          await queue.finish()
          return record.begun
        }
        let isAdded = adding.join()
        run.expect(finishing.join() == (isAdded ? [1] : []), "finish waits for what was added")
        return isAdded
      }
      #expect(outcomes == [false, true])
    }

    /// A queue is cancelled while two tasks add items and one of them is cancelled.
    @Test(arguments: [1, 2]) func aTaskCancelsTheQueue(limit: Int) throws {
      let outcomes = try results("AsyncQueue, cancelled, \(limit) at a time", Self.random) { run in
        let queue = AsyncQueue(maxConcurrentItems: limit)
        let record = Record(run, limit: limit)
        let adding = (0..<2).map { number in
          run.task {
            [2 * number, 2 * number + 1].compactMap { number in queue.add { await record.item(number) } }
          }
        }
        let cancelling = run.task { queue.cancel() }
        let items = adding.flatMap { $0.join() }
        let dropped = cancelling.join()
        let missing = run.task {
          await queue.finish()
          var missing = 0
          for item in items where await ending({ try await item.value }) == .cancelled { missing += 1 }
          return missing
        }
        run.expect(missing.join() == dropped, "it says how many it dropped")
        run.expect(record.begun.count == items.count - dropped)
        run.expectFreed(queue)
        return dropped
      }
      #expect(outcomes.isSuperset(of: [0, 1, 2]))
    }

    /// Two tasks wait for room; one of them may give up.
    @Test(arguments: [false, true]) func tasksWaitForRoom(mayBeCancelled: Bool) throws {
      let name = "AsyncQueue, 2 tasks wait for room\(mayBeCancelled ? ", 1 cancelled" : "")"
      let outcomes = try results(name, Self.random) { run in
        let queue = AsyncQueue(maxWaitingItems: 0)
        let record = Record(run)
        _ = run.task { queue.add { await record.item(0) } }.join()
        let one = run.task(mayBeCancelled: mayBeCancelled) {
          await ending { _ = try await queue.addWaitingForRoom { await record.item(1) } } == .returned
        }
        let two = run.task { try? await queue.addWaitingForRoom { await record.item(2) }?.value }
        let isAdded = one.join()
        run.expect(mayBeCancelled || isAdded, "a task that isn't cancelled gets room")
        run.expect(two.join() == 2, "the other task gets room")
        run.task { await queue.finish() }.join()
        run.expect(
          record.begun.sorted() == (isAdded ? [0, 1, 2] : [0, 2]), "the items were \(record.begun)")
        return isAdded
      }
      #expect(outcomes == (mayBeCancelled ? [false, true] : [true]))
    }

    /// A thread waits for room beside a task that ends the queue.
    @Test func aThreadWaitsForRoomUntilTheEnd() throws {
      let outcomes = try results("AsyncQueue, a thread waits for room until the end", Self.random) { run in
        let queue = AsyncQueue(maxWaitingItems: 0)
        let record = Record(run)
        _ = run.task { queue.add { await record.item(0) } }.join()
        let thread = run.thread { queue.addWaitingForRoom { await record.item(1) } != nil }
        let finishing = run.task { await queue.finish() }
        let isAdded = thread.join()
        finishing.join()
        run.expect(record.begun == (isAdded ? [0, 1] : [0]), "the items were \(record.begun)")
        return isAdded
      }
      #expect(outcomes == [false, true])
    }

    /// The queue's last owner goes while its items wait.
    @Test func aQueueWithoutOwnersRunsItsItems() throws {
      try check("AsyncQueue, without owners", Self.bounded, mayEndEarly: true) { run in
        let record = Record(run)
        let items = run.task {
          let queue = AsyncQueue()
          run.expectFreed(queue)
          return [1, 2].map { number in queue.add { await record.item(number) } }
        }
        .join()
        let values = run.task { [try? await items[0]?.value, try? await items[1]?.value] }
        run.expect(values.join() == [1, 2], "both have run")
      }
    }
  }
#endif
