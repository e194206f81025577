import InterlockCore
import Protectors
import TestSupport
import Testing

@testable import Observers

/// Tests who gets room in a delivery, and in which order.
@MainActor @Suite struct OrderedDeliveryRoomTests {
  private let manual = Manual(limit: 1)

  /// A delivery that counts the drains that it schedules; the test runs them.
  private final class Manual: Sendable {
    private let scheduled = ExclusiveProtector(0)
    let posted = ExclusiveProtector<[Int]>([])
    let delivery: OrderedDelivery<Int>

    init(limit: Int, combining combine: (@Sendable (inout Int, Int) -> Void)? = nil) {
      delivery = OrderedDelivery(
        limit: limit, combining: combine, isReceiver: { _ in true },
        schedule: { [scheduled] _ in scheduled.withLock { $0 += 1 } }, deliver: { _, _ in })
      for number in 0..<limit { #expect(delivery.post(-number)) }
    }

    /// Runs the drain that is scheduled; returns whether there was one.
    func drain() -> Bool {
      guard scheduled.withLock({ $0 > 0 }) else { return false }
      scheduled.withLock { $0 -= 1 }
      delivery.drain(isScheduled: true)
      return true
    }

    /// Starts a task that waits for room and then posts `number`; returns it when it waits.
    @MainActor func startPosting(_ number: Int) -> Task<Bool, Never> {
      Task.immediate {
        guard await delivery.waitForRoom(), delivery.post(number) else { return false }
        posted.withLock { $0.append(number) }
        return true
      }
    }
  }

  @Test("room is granted in the order of the waits, to as many as there are places")
  func order() async {
    let manual = Manual(limit: 2)
    let tasks = (1...4).map { manual.startPosting($0) }
    #expect(manual.delivery.waitCount == 4)
    #expect(manual.drain())
    #expect(manual.delivery.waitCount == 2)
    // Those that a drain resumes reach the main actor in any order: a continuation resumes on the pool first.
    for task in tasks.prefix(2) { #expect(await task.value) }
    #expect(manual.posted.withLock { $0.sorted() } == [1, 2])
    #expect(manual.drain())
    for task in tasks { #expect(await task.value) }
    #expect(manual.posted.withLock { $0.sorted() } == [1, 2, 3, 4])
  }

  @Test("where elements are combined, callers that were granted room and don't post leave it to the others")
  func combiningCallersThatDoNotPost() async {
    let manual = Manual(limit: 1, combining: { $0 += $1 })
    let tasks = (1...3).map { _ in Task.immediate { await manual.delivery.waitForRoom() } }
    #expect(manual.delivery.waitCount == 3)
    while manual.drain() {}
    #expect(manual.delivery.waitCount == 0)
    manual.delivery.end()
    for task in tasks { _ = await task.value }
  }

  @Test("a caller that has a place does not wait for another one")
  func placeOfACaller() async {
    #expect(manual.drain())
    let task = Task.immediate { (await manual.delivery.waitForRoom(), await manual.delivery.waitForRoom()) }
    #expect(manual.delivery.waitCount == 0)
    #expect(await task.value == (true, true))
  }

  @Test("threads and tasks wait in one line")
  func threadsAndTasks() async {
    async let thread = onAThread { manual.delivery.waitForRoom() && manual.delivery.post(1) }
    while manual.delivery.waitCount < 1 { await Task.yield() }
    let task = manual.startPosting(2)
    #expect(manual.drain())
    #expect(await thread)
    #expect(manual.posted.withLock { $0 } == [])
    #expect(manual.drain())
    #expect(await task.value)
  }

  @Test("a cancelled task leaves the line, and its place is nobody's")
  func cancellation() async {
    let tasks = (1...3).map { manual.startPosting($0) }
    tasks[0].cancel()
    tasks[1].cancel()
    #expect(manual.delivery.waitCount == 1)
    #expect(manual.drain())
    #expect(await tasks[2].value)
    let values = (await tasks[0].value, await tasks[1].value)
    #expect(values == (false, false))
    #expect(manual.drain())
    let late = Task.immediate {
      withUnsafeCurrentTask { $0?.cancel() }
      return await manual.delivery.waitForRoom()
    }
    #expect(await late.value == false, "although there is room")
  }

  @Test("a task that is cancelled after it was granted room has it")
  func cancellationAfterTheGrant() async {
    let task = manual.startPosting(1)
    #expect(manual.drain())
    task.cancel()
    #expect(await task.value)
  }

  @Test("places that several callers don't use reach the one that waits behind them")
  func unusedPlacesInARow() async throws {
    let idle = (0..<4).map { _ in Task.immediate { await manual.delivery.waitForRoom() } }
    let task = manual.startPosting(1)
    // A task that was granted room continues through the pool, however long that takes, and then wants drains.
    for (number, idle) in idle.enumerated() {
      while manual.drain() {}
      try #require(manual.delivery.waitCount == 4 - number)
      #expect(await idle.value)
    }
    while manual.drain() {}
    try #require(manual.delivery.waitCount == 0)
    #expect(await task.value)
    #expect(manual.posted.withLock { $0 } == [1])
  }

  @Test("after a place was given up, the next one is open to every post")
  func openPlaces() async {
    func waitInAnotherTask() async {
      #expect(await Task.immediate { await manual.delivery.waitForRoom() }.value)
    }
    #expect(manual.drain())
    await waitInAnotherTask()
    while !manual.delivery.post(1) { #expect(manual.drain()) }
    #expect(manual.drain())

    await waitInAnotherTask()
    #expect(manual.delivery.post(2), "the place is open")
    #expect(manual.drain())

    await waitInAnotherTask()
    #expect(!manual.delivery.post(3), "no place was given up")
  }

  @Test("the place of a task whose earlier place was open is its own until it returns")
  func placeAfterAnOpenOne() async throws {
    #expect(manual.drain())
    #expect(await Task.immediate { await manual.delivery.waitForRoom() }.value)
    while !manual.delivery.post(1) { #expect(manual.drain()) }
    #expect(manual.drain())

    let task = Task.immediate {
      // The place is open, and its own task uses it.
      guard await manual.delivery.waitForRoom(), manual.delivery.post(2) else { return false }
      return await manual.delivery.waitForRoom() && manual.delivery.post(3)
    }
    try #require(manual.delivery.waitCount == 1)
    #expect(manual.drain())
    #expect(!manual.delivery.post(9), "the place is kept for the task")
    #expect(await task.value)
    #expect(manual.delivery.count == 1)
  }

  /// A task whose place is only granted, and which has not continued, loses it to no drain.
  @Test("a place is kept until its task runs, however many drains come first")
  func lateTasks() async {
    let task = manual.startPosting(1)
    for _ in 0..<100 {
      _ = manual.drain()
      #expect(!manual.delivery.post(9))
    }
    #expect(await task.value)
  }

  @Test("a caller that waits in one task and posts in another gets room")
  func waitsOfChildTasks() async {
    let received = RelaxedCounter()
    let delivery = OrderedDelivery<Int>(limit: 1) { _ in received.add(1) }
    await Task.detached {
      for number in 0..<20 {
        while !delivery.post(number) { _ = await Task.detached { await delivery.waitForRoom() }.value }
      }
    }.value
    while received.value < 20 { await Task.yield() }
  }

  @Test("beside threads that post whenever there is room, a task gets room")
  func busyPosters() async {
    let isOver = RelaxedFlag()
    let delivery = OrderedDelivery<Int>(limit: 1) { _ in }
    let busy = (0..<2).map { _ in
      Task.detached {
        await onAThread { while !isOver.isSet { if !delivery.post(0) { _ = delivery.waitForRoom() } } }
      }
    }
    await Task.detached {
      for number in 1...50 { while !delivery.post(number) { _ = await delivery.waitForRoom() } }
    }.value
    isOver.set()
    for thread in busy { await thread.value }
  }
}
