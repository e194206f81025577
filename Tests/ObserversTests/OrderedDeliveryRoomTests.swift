import InterlockCore
import TestSupport
import Testing

@testable import Observers
@testable import Protectors

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

    /// Starts a task that waits for room and does not post; returns it when it waits.
    @MainActor func startWaiting() -> Task<Bool, any Error> {
      Task.immediate { try await delivery.waitForRoom() }
    }

    /// Starts a task that posts `number` as soon as it can; returns it when it waits for room.
    @MainActor func startPosting(_ number: Int) -> Task<Ending, Never> {
      Task.immediate {
        await ending {
          while !delivery.post(number) {
            if try await !delivery.waitForRoom() { throw Refused() }
          }
          posted.withLock { $0.append(number) }
        }
      }
    }

    /// Runs drains until `task` has ended.
    func drain<R: Sendable>(until task: Task<R, Never>) async -> R {
      let hasEnded = RelaxedFlag()
      let observing = Task.detached {
        let result = await task.value
        hasEnded.set()
        return result
      }
      while !hasEnded.isSet {
        _ = drain()
        await Task.yield()
      }
      return await observing.value
    }
  }

  private struct Refused: Error {}

  @Test("as many waits end with a drain as there are places, in their order")
  func order() async {
    let manual = Manual(limit: 2)
    let tasks = (1...4).map { manual.startPosting($0) }
    #expect(manual.drain())
    for task in tasks.prefix(2) { #expect(await task.value == .returned) }
    #expect(manual.posted.withLock { $0.sorted() } == [1, 2])
    #expect(manual.drain())
    for task in tasks { #expect(await task.value == .returned) }
    #expect(manual.posted.withLock { $0.sorted() } == [1, 2, 3, 4])
  }

  /// Where nobody posts, only a wait that ends can schedule the drain that ends the next one.
  @Test("those who wait and don't post leave room to the others", arguments: [false, true])
  func callersThatDoNotPost(combining: Bool) async throws {
    let add: @Sendable (inout Int, Int) -> Void = { $0 += $1 }
    let manual = Manual(limit: 1, combining: combining ? add : nil)
    let tasks = (1...3).map { _ in manual.startWaiting() }
    for task in tasks {
      try #require(manual.drain())
      #expect(try await task.value)
    }
    let isAwaited = manual.delivery.state.waiters.isNotEmpty
    #expect(!isAwaited)
  }

  @Test("a thread that waits and does not post leaves room to the others, too")
  func threadThatDoesNotPost() async {
    let delivery = manual.delivery
    let thread = Task { await onAThread { delivery.waitForRoom() } }
    while !delivery.state.waiters.isNotEmpty { await Task.yield() }
    #expect(manual.drain())
    #expect(await thread.value)
    #expect(manual.drain(), "it has scheduled the next one")
  }

  @Test("a post that comes first takes the room, and the one that has waited gets the next")
  func roomIsNobodys() async {
    let task = manual.startPosting(1)
    #expect(manual.drain())
    // The task can't run before: this function occupies the main actor.
    #expect(manual.delivery.post(9))
    #expect(await manual.drain(until: task) == .returned)
    #expect(manual.posted.withLock { $0 } == [1])
  }

  @Test("who finds room does not wait behind others")
  func roomThatIsThere() async throws {
    let tasks = (1...2).map { _ in manual.startWaiting() }
    #expect(manual.drain())
    #expect(try await tasks[0].value)
    #expect(try await manual.startWaiting().value)
    #expect(manual.drain())
    #expect(try await tasks[1].value)
  }

  @Test("threads and tasks both get room")
  func threadsAndTasks() async {
    let manual = manual
    let thread = Task {
      await onAThread {
        while !manual.delivery.post(1) { if !manual.delivery.waitForRoom() { return false } }
        return true
      }
    }
    while !manual.delivery.state.waiters.isNotEmpty { await Task.yield() }
    let task = manual.startPosting(2)
    #expect(await manual.drain(until: thread))
    #expect(await manual.drain(until: task) == .returned)
  }

  @Test("a task that is cancelled while it waits throws, and the others go on")
  func cancellation() async {
    let tasks = (1...3).map { manual.startPosting($0) }
    tasks[0].cancel()
    tasks[1].cancel()
    #expect(await tasks[0].value == .cancelled)
    #expect(await tasks[1].value == .cancelled)
    #expect(manual.drain())
    #expect(await tasks[2].value == .returned)
    #expect(manual.posted.withLock { $0 } == [3])
  }

  @Test("a task that is cancelled before throws only where it would wait")
  func earlierCancellation() async {
    let delivery = manual.delivery
    #expect(await inCancelledTask { await ending { try await delivery.waitForRoom() } } == .cancelled)
    #expect(manual.drain())
    #expect(await inCancelledTask { try? await delivery.waitForRoom() } == true)
    delivery.finish()
    #expect(await inCancelledTask { try? await delivery.waitForRoom() } == false)
  }

  @Test("a task that is cancelled as it may go on holds nobody up")
  func cancellationAfterADrain() async {
    let tasks = (1...2).map { manual.startPosting($0) }
    #expect(manual.drain())
    tasks[0].cancel()
    #expect(await manual.drain(until: tasks[1]) == .returned)
    _ = await manual.drain(until: tasks[0])
  }

  @Test("the end ends all waits")
  func end() async {
    let tasks = (1...3).map { manual.startPosting($0) }
    let delivery = manual.delivery
    let thread = Task { await onAThread { delivery.waitForRoom() } }
    delivery.finish()
    for task in tasks { #expect(await task.value == .failed) }
    #expect(await thread.value == false)
  }

  @Test("the end ends a wait whose turn has not come, although there is room")
  func endBeyondTheTurns() async throws {
    let tasks = (1...2).map { _ in manual.startWaiting() }
    #expect(manual.drain())
    #expect(try await tasks[0].value)
    manual.delivery.finish()
    #expect(try await !tasks[1].value)
  }

  @Test("a caller that waits in one task and posts in another gets room")
  func waitsOfChildTasks() async {
    let received = RelaxedCounter()
    let delivery = OrderedDelivery<Int>(limit: 1) { _ in received.add(1) }
    await Task.detached {
      for number in 0..<20 {
        while !delivery.post(number) {
          _ = try? await Task.detached { try await delivery.waitForRoom() }.value
        }
      }
    }.value
    while received.value < 20 { await Task.yield() }
  }
}
