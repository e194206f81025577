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
  private func block(_ queue: AsyncQueue, _ gate: TaskGate) -> AsyncQueue.Item<Bool, Never>? {
    queue.add {
      await gate.pass()
      return Task.isCancelled
    }
  }

  // MARK: Order

  @Test func eachThreadsItemsKeepTheirOrder() async {
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

  @Test func anItemAddsItems() async {
    let history = Protector<[Int]>([])
    let inner = await queue.add {
      history.withWriteLock { $0.append(1) }
      let inner = queue.add { history.withWriteLock { $0.append(3) } }
      history.withWriteLock { $0.append(2) }
      return inner
    }?.value
    #expect(await inner??.value != nil)
    #expect(history.value == [1, 2, 3])
  }

  // MARK: Items

  @Test func anErrorDoesNotStopTheQueue() async {
    let failing = queue.add { () async throws(Failure) -> Int in throw Failure(number: 1) }
    let item = queue.add { 2 }
    await #expect(throws: Failure(number: 1)) { try await failing?.value }
    #expect(await item?.value == 2)
    #expect(await item?.value == 2, "a value is awaited as often as one likes")
  }

  @Test func anItemSeesWhatItsAdderSaw() async {
    block(queue, gate)
    let items = [TaskPriority.background, .high].map { priority in
      Task.detached(priority: priority) {
        Self.$name.withValue("\(priority.rawValue)") { queue.add { (Self.name, Task.basePriority) } }
      }
    }
    var added: [AsyncQueue.Item<(String, TaskPriority?), Never>?] = []
    for item in items { added.append(await item.value) }
    await gate.open()
    for (item, priority) in zip(added, [TaskPriority.background, .high]) {
      let seen = await item?.value
      #expect(seen?.0 == "\(priority.rawValue)")
      #expect(seen?.1 == priority)
    }
  }

  @Test @MainActor func anItemRunsInTheIsolationOfItsClosure() async {
    var count = 0
    let item = queue.add {
      MainActor.preconditionIsolated()
      count += 1
      await Task.yield()
      MainActor.preconditionIsolated()
      count += 1
    }
    #expect(await item?.value != nil)
    #expect(count == 2)
  }

  @Test func anItemThatIsCancelledBeforeItsTurnIsDropped() async {
    block(queue, gate)
    let dropped = queue.add { 1 }
    let kept = queue.add { 2 }
    dropped?.cancel()
    dropped?.cancel()
    // The first item still runs.
    #expect(await dropped?.value == nil)
    await gate.open()
    #expect(await kept?.value == 2)
    #expect(queue.cancel() == 0)
  }

  @Test func aDroppedItemTakesRoomUntilItsClosureIsDestroyed() async {
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
    #expect(await item?.value == nil)
    #expect(hasRoom.value == false)
    await gate.open()
    await queue.finish()
  }

  @Test @MainActor func anItemIsDestroyedInTheIsolationOfItsClosure() async {
    for isDropped in [false, true] {
      if isDropped { block(queue, gate) }
      let item = queue.add { [object = MainActorOnly()] in _ = object }
      if isDropped { item?.cancel() }
      #expect((await item?.value == nil) == isDropped)
      #expect(MainActorOnly.strays == 0)
    }
    await gate.open()
  }

  /// The turn of the inner item comes sooner than a thread of the pool.
  @Test func anItemThatIsCancelledBeforeItsTaskBeginsIsDropped() async {
    for _ in 0..<200 {
      let queue = AsyncQueue()
      let item = await queue.add {
        let item = queue.add { 1 }
        item?.cancel()
        return item
      }?.value
      #expect(await item??.value == nil)
      #expect(await queue.add { 2 }?.value == 2, "the queue goes on")
    }
  }

  @Test func anItemThatIsCancelledInItsTurnGoesOn() async {
    let item = block(queue, gate)
    let next = queue.add { Task.isCancelled }
    item?.cancel()
    await gate.open()
    #expect(await item?.value == true)
    #expect(await next?.value == false)
    item?.cancel()
  }

  @Test func aCancelledTaskDoesNotCancelItsItems() async {
    #expect(await inCancelledTask { await queue.add { Task.isCancelled }?.value } == false)
  }

  @Test func anItemsClosureIsDestroyedBeforeTheNextItemBegins() async {
    let lifetimes = Lifetimes()
    block(queue, gate)
    func add(_ number: Int) -> AsyncQueue.Item<Int, Never>? {
      let object = Tracked(lifetimes, number: number)
      return queue.add { object.number }
    }
    let one = add(1)
    let dropped = add(2)
    let alive = queue.add { lifetimes.alive }
    dropped?.cancel()
    #expect(await dropped?.value == nil)
    #expect(lifetimes.alive == 1)
    await gate.open()
    #expect(await one?.value == 1)
    #expect(await alive?.value == 0)
  }

  // MARK: Room

  @Test func aFullQueueRefusesItems() async {
    let queue = AsyncQueue(maxConcurrentItems: 2, maxWaitingItems: 1)
    let items = (0..<3).map { _ in queue.add { await gate.pass() } }
    #expect(items.allSatisfy { $0 != nil })
    let refused = queue.add {}
    #expect(refused == nil)
    await gate.open()
    for item in items { #expect(await item?.value != nil) }
    #expect(await queue.addWaitingForRoom { 1 }?.value == 1)
  }

  @Test(arguments: [false, true]) func anEndEndsTheWaitForRoom(isCancelled: Bool) async {
    let queue = AsyncQueue(maxWaitingItems: 0)
    block(queue, gate)
    let waiting = Task { await queue.addWaitingForRoom {} == nil }
    let onThread = Task { await onAThread { queue.addWaitingForRoom {} == nil } }
    let end = Task {
      if isCancelled { queue.cancel() }
      await queue.finish()
    }
    // The item still runs.
    #expect(await waiting.value)
    #expect(await onThread.value)
    await gate.open()
    await end.value
  }

  // MARK: The end

  @Test func finishRunsTheRest() async {
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
    #expect(await queue.addWaitingForRoom { ended.add(1) } == nil)
    await queue.finish()
    #expect(ended.value == 100)
  }

  @Test func cancelDropsTheRestAndCancelsWhatRuns() async {
    let queue = AsyncQueue(maxConcurrentItems: 2)
    let running = (0..<2).map { _ in
      queue.add {
        await gate.pass()
        return Task.isCancelled
      }
    }
    let waiting = (0..<5).map { number in queue.add { number } }
    waiting[1]?.cancel()
    #expect(await waiting[1]?.value == nil)
    #expect(queue.cancel() == 4, "one was dropped before")
    for item in waiting { #expect(await item?.value == nil) }
    #expect(queue.cancel() == 0)
    let late = queue.add {}
    #expect(late == nil)
    await gate.open()
    for item in running { #expect(await item?.value == true) }
    await queue.finish()
  }

  @Test func aCancelledQueueFinishes() async {
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

  @Test func anItemFinishesAnotherQueue() async {
    let other = AsyncQueue()
    let item = queue.add {
      async let end: Void = other.finish()
      await end
    }
    #expect(await item?.value != nil)
    #expect(other.add {} == nil)
  }

  /// An item may start a task that finishes the queue, if the item does not wait for it.
  @Test func aTaskOfAnItemFinishesItsQueue() async {
    let finishing = await queue.add {
      let finishing = Task { await queue.finish() }
      while queue.add({}) != nil { await Task.yield() }
      return finishing
    }?.value
    await finishing?.value
    let late = queue.add {}
    #expect(late == nil)
  }
}
