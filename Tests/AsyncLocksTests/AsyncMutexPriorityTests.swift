@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport
import Testing

@testable import AsyncLocks

/// Tests that a mutex's owner gets the priority of the tasks that wait for it.
///
/// Without that, the owner works forever, until the watchdog ends the test.
@Suite struct AsyncMutexPriorityTests {
  private let mutex = AsyncMutex(0)

  /// A background task that holds the mutex until it has the lent priority.
  private func holdUntilLent(_ mutex: AsyncMutex<Int>) async -> Task<Void, Never> {
    let gate = TaskGate()
    let holder = Task.detached(priority: .background) {
      await mutex.withLock { _ in
        #expect(Task.currentPriority < .lent)
        await gate.open()
        await untilPriority(is: .lent)
      }
    }
    await gate.pass()
    return holder
  }

  private enum Form: CaseIterable { case plain, unlessCancelled, timeout }

  @Test(arguments: Form.allCases)
  private func theOwnerGetsThePriorityOfAWaitingTask(_ form: Form) async throws {
    let holder = await holdUntilLent(mutex)
    try await Task.detached(priority: .lent) {
      switch form {
      case .plain: await mutex.withLock { _ in }
      case .unlessCancelled: try await mutex.withLockUnlessCancelled { _ in }
      case .timeout: try await mutex.withLock(timeout: .seconds(10_000)) { _ in }
      }
    }.value
    await holder.value
    #expect(mutex.isAtRest)
  }

  @Test func anOwnerThatNobodyWaitsForKeepsItsPriority() async {
    let holder = Task.detached(priority: .background) { await mutex.withLock { _ in Task.currentPriority } }
    #expect(await holder.value < .lent)
    await Task.detached(priority: .lent) { await mutex.withLock { _ in } }.value
    await Task.detached(priority: .background) {
      await mutex.withLock { _ in #expect(Task.currentPriority < .lent) }
    }.value
  }

  @Test func theEscalationOfASuspendedTaskIsLent() async {
    let holder = await holdUntilLent(mutex)
    let waiter = Task.detached(priority: .background) { await mutex.withLock { _ in } }
    await mutex.core.waiters.untilTheFirstTaskIsSuspended()
    waiter.escalatePriority(to: .lent)
    await waiter.value
    await holder.value
  }

  /// The runtime calls no handler for an escalation that came before it was registered.
  @Test func anEscalationBetweenJoiningAndSuspendingIsLent() async {
    let queue = mutex.core.waiters
    let holder = await holdUntilLent(mutex)
    await Task.detached(priority: .lent) {
      // As if the task had begun at a lower priority.
      let waiter = TaskWaiter(task: TaskIdentity.current, priority: TaskPriority.background.rawValue)
      let isAcquired = mutex.core.acquireOrJoin(waiter, mutex.primitive)
      #expect(!isAcquired)
      await queue.wait(waiter)
      mutex.core.release(as: TaskIdentity.current)
    }.value
    await holder.value
    #expect(mutex.isAtRest)
  }

  /// The first task lends to the second one, which waits for the third, and so on.
  @Test(arguments: [2, 3, 6])
  func aPriorityPassesThroughAChain(_ length: Int) async {
    let mutexes = (0..<length).map { _ in AsyncMutex(0) }
    var holders = [await holdUntilLent(mutexes[0])]
    for (next, own) in zip(mutexes, mutexes.dropFirst()) {
      holders.append(
        Task.detached(priority: .background) {
          await own.withLock { _ in await next.withLock { _ in #expect(Task.currentPriority >= .lent) } }
        })
      await next.core.waiters.untilTheFirstTaskIsSuspended()
    }
    let last = mutexes[length - 1]
    await Task.detached(priority: .lent) { await last.withLock { _ in } }.value
    for holder in holders { await holder.value }
  }

  /// The next owner has a lower priority than a task behind it, which it has let overtake as often as it must.
  @Test func theNextOwnerGetsThePriorityOfTheOthers() async {
    let first = TaskGate()
    let holding = TaskGate()
    let holder = Task.detached {
      await mutex.withLock { _ in
        await holding.open()
        await first.pass()
      }
    }
    await holding.pass()
    let next = Task.detached(priority: .background) {
      await mutex.withLock { _ in await untilPriority(is: .lent) }
    }
    await mutex.core.waiters.untilTheFirstTaskIsSuspended()
    mutex.core.waiters.withList { $0.first!.takeUnretainedValue().overtakings = TaskWaiter.overtakingLimit }
    let waiter = Task.detached(priority: .lent) { await mutex.withLock { _ in } }
    await mutex.untilTasksWait(2)
    await first.open()
    await waiter.value
    await next.value
    await holder.value
  }

  /// A handler of the owner runs under no lock of the list, and on any thread.
  @Test func aHandlerOfTheOwnerMayLookAtTheList() async {
    let holding = TaskGate()
    let holder = Task.detached(priority: .background) {
      let seen = RelaxedCounter()
      await mutex.withLock { _ in
        await withTaskPriorityEscalationHandler {
          await holding.open()
          while seen.value == 0 { await Task.yield() }
        } onPriorityEscalated: { _, _ in
          seen.add(mutex.core.waiters.count)
        }
      }
    }
    await holding.pass()
    await Task.detached(priority: .lent) { await mutex.withLock { _ in } }.value
    await holder.value
  }

  /// The owner does not end before a thread that has read its address has escalated it.
  @Test func theOwnerWaitsForTheThreadThatEscalatesIt() async {
    let queue = mutex.core.waiters
    let gate = TaskGate()
    let holding = TaskGate()
    let hasLeft = RelaxedFlag()
    let holder = Task.detached(priority: .background) {
      await mutex.withLock { _ in
        await holding.open()
        await untilPriority(is: .lent)
        await gate.pass()
      }
      hasLeft.set()
    }
    await holding.pass()
    let waiter = Task.detached(priority: .lent) { await mutex.withLock { _ in } }
    while !queue.withList({ _ in queue.loan.isRead }) { await Task.yield() }
    // Acquired after the escalation that made the owner's priority what it waits for.
    let leftEarly = await onAThread {
      queue.lending.withLock {
        Task { await gate.open() }
        // The owner has handed over the mutex.
        while queue.count > 0 { PlatformThread.yield() }
        for _ in 0..<100 { PlatformThread.yield() }
        return hasLeft.isSet
      }
    }
    #expect(!leftEarly)
    await waiter.value
    await holder.value
  }

  /// Owners that end, some of them child tasks, whose memory nothing else keeps.
  @Test func ownersEndWhileTheyAreEscalated() async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask(priority: task % 2 == 0 ? .background : .medium) {
          for round in 0..<StressSize.pick(quick: 200, full: 20_000) {
            async let child: Void = mutex.withLock { value in
              await Task.yield()
              value += 1
            }
            if round % 3 == 0 {
              let other = Task.detached(priority: .low) { await mutex.withLock { $0 += 1 } }
              other.escalatePriority(to: .lent)
              await other.value
            }
            await child
          }
        }
      }
    }
    #expect(mutex.isAtRest)
  }

  // MARK: Order

  @Test func aHigherPriorityGoesFirst() async {
    let order = AsyncMutex<[TaskPriority]>([])
    let gate = TaskGate()
    let holding = TaskGate()
    let holder = Task.detached {
      await mutex.withLock { _ in
        await holding.open()
        await gate.pass()
      }
    }
    await holding.pass()
    var waiters: [Task<Void, Never>] = []
    for (index, priority) in ([.low, .high, .medium, .lent, .background] as [TaskPriority]).enumerated() {
      waiters.append(
        Task.detached(priority: priority) {
          await mutex.withLock { _ in await order.withLock { $0.append(priority) } }
        })
      await mutex.untilTasksWait(index + 1)
    }
    await gate.open()
    for waiter in waiters { await waiter.value }
    await holder.value
    #expect(await order.withLock { $0 } == [.lent, .high, .medium, .low, .background])
  }

  @Test func anEscalatedTaskMovesForward() async {
    let order = AsyncMutex<[Int]>([])
    let gate = TaskGate()
    let holding = TaskGate()
    let holder = Task.detached(priority: .lent) {
      await mutex.withLock { _ in
        await holding.open()
        await gate.pass()
      }
    }
    await holding.pass()
    var waiters: [Task<Void, Never>] = []
    for number in 0..<3 {
      waiters.append(
        Task.detached(priority: .background) {
          await mutex.withLock { _ in await order.withLock { $0.append(number) } }
        })
      await mutex.untilTasksWait(number + 1)
    }
    waiters[2].escalatePriority(to: .lent)
    // An escalation that comes before the task has suspended is found by the task.
    while mutex.core.waiters.withList({ $0.first!.takeUnretainedValue().priority })
      < TaskPriority.lent.rawValue
    {
      await Task.yield()
    }
    await gate.open()
    for waiter in waiters { await waiter.value }
    await holder.value
    #expect(await order.withLock { $0 } == [2, 0, 1])
  }
}
