import Jobs
import Protectors
import TestSupport
import Testing

@Suite struct AsyncQueueTests {
  private let queue = AsyncQueue()
  private let gate = TaskGate()
  private struct Failure: Error, Equatable {
    var number = 0
  }

  @TaskLocal private static var name = "none"

  /// Adds an item that begins now and runs until the gate is open.
  ///
  /// The queue must be empty.
  @discardableResult
  private func block(_ queue: AsyncQueue, _ gate: TaskGate) -> AsyncQueue.Item<Bool>? {
    queue.add {
      await gate.pass()
      return Task.isCancelled
    }
  }

  /// Whether the item was dropped; records an issue if there is none.
  private func isDropped<Success>(_ item: AsyncQueue.Item<Success>?) async throws -> Bool {
    let item = try #require(item)
    return await ending { try await item.value } == .cancelled
  }

  // MARK: Order

  @Test func eachThreadsItemsKeepTheirOrder() async throws {
    let begun = Unguarded<[(thread: Int, number: Int)]>([])
    _ = await onAThread {
      race(threads: 4) { thread in
        for number in 0..<100 { _ = queue.add { begun.value.append((thread, number)) } }
      }
    }
    await queue.finish()
    #expect(begun.value.count == 400)
    for thread in 0..<4 {
      #expect(begun.value.filter { $0.thread == thread }.map(\.number) == Array(0..<100))
    }
  }

  @Test func anItemAddsItems() async throws {
    let history = Protector<[Int]>([])
    let inner = try await queue.add {
      history.withWriteLock { $0.append(1) }
      let inner = queue.add { history.withWriteLock { $0.append(3) } }
      history.withWriteLock { $0.append(2) }
      return inner
    }?.value
    try await #require(inner ?? nil).value
    #expect(history.value == [1, 2, 3])
  }

  // MARK: Items

  @Test func anErrorDoesNotStopTheQueue() async throws {
    let failing = queue.add { () async throws(Failure) -> Int in throw Failure(number: 1) }
    let item = queue.add { 2 }
    await #expect(throws: Failure(number: 1)) { try await failing?.value }
    #expect(try await item?.value == 2)
    #expect(try await item?.value == 2, "a value is awaited as often as one likes")
  }

  @Test func anItemSeesWhatItsAdderSaw() async throws {
    block(queue, gate)
    let items = [TaskPriority.background, .high].map { priority in
      Task.detached(priority: priority) {
        Self.$name.withValue("\(priority.rawValue)") { queue.add { (Self.name, Task.basePriority) } }
      }
    }
    var added: [AsyncQueue.Item<(String, TaskPriority?)>?] = []
    for item in items { added.append(await item.value) }
    await gate.open()
    for (item, priority) in zip(added, [TaskPriority.background, .high]) {
      let seen = try await item?.value
      #expect(seen?.0 == "\(priority.rawValue)")
      #expect(seen?.1 == priority)
    }
  }

  @Test @MainActor func anItemRunsInTheIsolationOfItsClosure() async throws {
    var count = 0
    let item = queue.add {
      MainActor.preconditionIsolated()
      count += 1
      await Task.yield()
      MainActor.preconditionIsolated()
      count += 1
    }
    try await #require(item).value
    #expect(count == 2)
  }

  @Test func anItemThatIsCancelledBeforeItsTurnIsDropped() async throws {
    block(queue, gate)
    let dropped = queue.add { 1 }
    let kept = queue.add { 2 }
    dropped?.cancel()
    dropped?.cancel()
    // The first item still runs.
    await #expect(throws: CancellationError.self) { try await dropped?.value }
    await gate.open()
    #expect(try await kept?.value == 2)
    #expect(queue.cancel() == 0)
  }

  @Test func aDroppedItemTakesRoomUntilItsClosureIsDestroyed() async throws {
    final class Owner: Sendable {
      let queue: AsyncQueue
      let hasRoom: Unguarded<Bool?>
      init(_ queue: AsyncQueue, _ hasRoom: Unguarded<Bool?>) { (self.queue, self.hasRoom) = (queue, hasRoom) }
      deinit { hasRoom.value = queue.add {} != nil }
    }
    let queue = AsyncQueue(maxWaitingItems: 1)
    let hasRoom = Unguarded<Bool?>(nil)
    block(queue, gate)
    let item = queue.add { [owner = Owner(queue, hasRoom)] in _ = owner }
    item?.cancel()
    #expect(try await isDropped(item))
    #expect(hasRoom.value == false)
    await gate.open()
    await queue.finish()
  }

  @Test @MainActor func anItemIsDestroyedInTheIsolationOfItsClosure() async throws {
    for isDropped in [false, true] {
      if isDropped { block(queue, gate) }
      let item = queue.add { [object = MainActorOnly()] in _ = object }
      if isDropped { item?.cancel() }
      #expect(try await self.isDropped(item) == isDropped)
      #expect(MainActorOnly.strays == 0)
    }
    await gate.open()
  }

  /// The turn of the inner item comes sooner than a thread of the pool.
  @Test func anItemThatIsCancelledBeforeItsTaskBeginsIsDropped() async throws {
    for _ in 0..<200 {
      let queue = AsyncQueue()
      let item = try await queue.add {
        let item = queue.add { 1 }
        item?.cancel()
        return item
      }?.value
      #expect(try await isDropped(item ?? nil))
      #expect(try await queue.add { 2 }?.value == 2, "the queue goes on")
    }
  }

  @Test func anItemThatIsCancelledInItsTurnGoesOn() async throws {
    let item = block(queue, gate)
    let next = queue.add { Task.isCancelled }
    item?.cancel()
    await gate.open()
    #expect(try await item?.value == true)
    #expect(try await next?.value == false)
    item?.cancel()
  }

  @Test func aCancelledTaskDoesNotCancelItsItems() async throws {
    #expect(await inCancelledTask { try? await queue.add { Task.isCancelled }?.value } == false)
  }

  @Test func anItemsClosureIsDestroyedBeforeTheNextItemBegins() async throws {
    let lifetimes = Lifetimes()
    block(queue, gate)
    func add(_ number: Int) -> AsyncQueue.Item<Int>? {
      let object = Tracked(lifetimes, number: number)
      return queue.add { object.number }
    }
    let one = add(1)
    let dropped = add(2)
    let alive = queue.add { lifetimes.alive }
    dropped?.cancel()
    #expect(try await isDropped(dropped))
    #expect(lifetimes.alive == 1)
    await gate.open()
    #expect(try await one?.value == 1)
    #expect(try await alive?.value == 0)
  }

  // MARK: Room

  @Test func aFullQueueRefusesItems() async throws {
    let queue = AsyncQueue(maxConcurrentItems: 2, maxWaitingItems: 1)
    let items = (0..<3).map { _ in queue.add { await gate.pass() } }
    #expect(items.allSatisfy { $0 != nil })
    let refused = queue.add {}
    #expect(refused == nil)
    await gate.open()
    for item in items { try await #require(item).value }
    #expect(try await queue.addWaitingForRoom { 1 }?.value == 1)
  }

  @Test(arguments: [false, true]) func anEndEndsTheWaitForRoom(isCancelled: Bool) async throws {
    let queue = AsyncQueue(maxWaitingItems: 0)
    block(queue, gate)
    let waiting = Task { try await queue.addWaitingForRoom {} == nil }
    let onThread = Task { await onAThread { queue.addWaitingForRoom {} == nil } }
    let end = Task {
      if isCancelled { queue.cancel() } else { await queue.finish() }
    }
    // The item still runs.
    #expect(try await waiting.value)
    #expect(await onThread.value)
    await gate.open()
    await end.value
  }

  /// A task that is cancelled, before or while it waits, adds nothing; room that is free is taken.
  @Test func aCancelledTaskThatWaitsForRoomAddsNothing() async throws {
    let queue = AsyncQueue(maxWaitingItems: 0)
    let ran = RelaxedCounter()
    let end = await inCancelledTask {
      await ending { _ = try await queue.addWaitingForRoom { await gate.pass() } }
    }
    #expect(end == .returned)
    #expect(
      await inCancelledTask { await ending { _ = try await queue.addWaitingForRoom { ran.add(1) } } }
        == .cancelled)
    let waiting = Task.immediate { await ending { _ = try await queue.addWaitingForRoom { ran.add(1) } } }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    await gate.open()
    await queue.finish()
    #expect(ran.value == 0)
  }

  // MARK: The end

  @Test func finishRunsTheRest() async throws {
    let queue = AsyncQueue(maxConcurrentItems: 2)
    let ended = RelaxedCounter()
    for _ in 0..<100 {
      _ = queue.add {
        await Task.yield()
        ended.add(1)
      }
    }
    await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          await queue.finish()
          #expect(ended.value == 100)
        }
      }
    }
    let late = queue.add { ended.add(1) }
    #expect(late == nil)
    #expect(try await queue.addWaitingForRoom { ended.add(1) } == nil)
    await queue.finish()
    #expect(ended.value == 100)
  }

  @Test func cancelDropsTheRestAndCancelsWhatRuns() async throws {
    let queue = AsyncQueue(maxConcurrentItems: 2)
    let running = (0..<2).map { _ in
      queue.add {
        await gate.pass()
        return Task.isCancelled
      }
    }
    let waiting = (0..<5).map { number in queue.add { number } }
    waiting[1]?.cancel()
    #expect(try await isDropped(waiting[1]))
    #expect(queue.cancel() == 4, "one was dropped before")
    for item in waiting { #expect(try await isDropped(item)) }
    #expect(queue.cancel() == 0)
    let late = queue.add {}
    #expect(late == nil)
    await gate.open()
    for item in running { #expect(try await item?.value == true) }
    await queue.finish()
  }

  @Test func cancelReachesTheItemsInTheOrderOfTheirTurns() async {
    let queue = AsyncQueue(maxConcurrentItems: 10)
    let order = ExclusiveProtector<[Int]>([])
    let begun = RelaxedCounter()
    for number in 0..<10 {
      _ = queue.add {
        await withTaskCancellationHandler {
          begun.add(1)
          await gate.pass()
        } onCancel: {
          order.withLock { $0.append(number) }
        }
      }
    }
    while begun.value < 10 { await Task.yield() }
    queue.cancel()
    await gate.open()
    await queue.finish()
    #expect(order.value == Array(0..<10))
  }

  /// The handler of an item that runs may wait for one that is dropped.
  @Test func cancelDropsTheRestFirst() async throws {
    let hasBegun = TaskGate()
    let isDropped = Signal()
    _ = queue.add {
      await withTaskCancellationHandler {
        await hasBegun.open()
        await gate.pass()
      } onCancel: {
        isDropped.wait()
      }
    }
    let dropped = queue.add {}
    let waiting = Task {
      defer { isDropped.send() }
      return try await self.isDropped(dropped)
    }
    await hasBegun.pass()
    let droppedCount = await onAThread { [queue] in queue.cancel() }
    #expect(droppedCount == 1)
    #expect(try await waiting.value)
    await gate.open()
    await queue.finish()
  }

  @Test func aCancelledQueueFinishes() async throws {
    let history = Protector<[Int]>([])
    _ = queue.add {
      await gate.pass()
      history.withWriteLock { $0.append(1) }
    }
    _ = queue.add { history.withWriteLock { $0.append(2) } }
    let finishing = Task { await queue.finish() }
    while queue.add({}) != nil { await Task.yield() }
    #expect(queue.cancel() >= 1)
    await gate.open()
    await finishing.value
    #expect(history.value == [1])
  }

  @Test func anItemFinishesAnotherQueue() async throws {
    let other = AsyncQueue()
    let item = queue.add {
      async let end: Void = other.finish()
      await end
    }
    try await #require(item).value
    #expect(other.add {} == nil)
  }

  /// An item may start a task that finishes the queue, if the item does not wait for it.
  @Test func aTaskOfAnItemFinishesItsQueue() async throws {
    let finishing = try await queue.add {
      let finishing = Task { await queue.finish() }
      while queue.add({}) != nil { await Task.yield() }
      return finishing
    }?.value
    await finishing?.value
    let late = queue.add {}
    #expect(late == nil)
  }
}
