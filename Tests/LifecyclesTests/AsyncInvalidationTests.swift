import Dispatch
import Foundation
@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import Protectors
import TestSupport
import Testing

@testable import EventSources
@testable import Lifecycles

/// Tests the asynchronous `Lifecycle.invalidate`.
///
/// While bodies of `whileActive` run, this function must suspend the task instead of blocking the thread.
@Suite struct AsyncInvalidationTests {
  private let isInside = Signal()
  private let mayEnd = Signal()

  @Test
  func withoutDeliveriesItIsImmediate() async {
    let lifecycle = activeLifecycle("Immediate")
    var calls = 0
    let first = await lifecycle.invalidate { calls += 1 }
    let second = await lifecycle.invalidate { calls += 1 }
    #expect(first && !second && calls == 1)
    #expect(lifecycle.state == .invalidated)
  }

  /// The body of `whileActive` waits for the main actor, so the invalidation must not block the main thread.
  @MainActor
  @Test
  func itDoesNotBlockTheThread() async {
    for _ in 0..<20 {
      let lifecycle = activeLifecycle("Main actor")
      let isInside = Signal()
      let order = Protector<[String]>([])
      let thread = PlatformThread {
        lifecycle.whileActive {
          isInside.send()
          let isDone = Signal()
          Task { @MainActor in isDone.send() }
          isDone.wait()
          order.withWriteLock { $0.append("delivery") }
        }
      }
      onAnotherThread { isInside.wait() }
      await lifecycle.invalidate { order.withWriteLock { $0.append("body") } }
      #expect(order.value == ["delivery", "body"])
      #expect(TaskWaiterTable.queue(of: lifecycle.core.key) == nil)
      thread.join()
    }
  }

  /// The end of a delivery must resume the waiter itself: this test sets no deadline that could do so.
  @Test func theEndOfADeliveryWakesTheTask() {
    let lifecycle = activeLifecycle("Event-driven")
    let waiter = TaskWaiter()
    let queue = TaskWaiterTable.join(lifecycle.core.key)
    concurrently(
      {
        lifecycle.whileActive {
          isInside.send()
          mayEnd.wait()
        }
      },
      {
        isInside.wait()
        _ = lifecycle.core.close()
        let mustWait = lifecycle.core.joinUnlessDeliveriesEnded(waiter, queue)
        #expect(mustWait)
        mayEnd.send()
      })
    #expect(waiter.isResumed)
    waiter.rearm()
    let mustWait = lifecycle.core.joinUnlessDeliveriesEnded(waiter, queue)
    #expect(!mustWait)
    #expect(queue.count == 0)
    TaskWaiterTable.leave(lifecycle.core.key)
  }

  /// A task that comes second has nothing to do, but waits as well.
  @Test func theSecondInvalidationWaitsToo() async {
    let lifecycle = activeLifecycle("Twice")
    let hasEnded = RelaxedFlag()
    let thread = PlatformThread {
      lifecycle.whileActive {
        isInside.send()
        mayEnd.wait()
        hasEnded.set()
      }
    }
    onAnotherThread { isInside.wait() }
    let tasks = (0..<2).map { _ in
      Task.immediate {
        let isFirst = await lifecycle.invalidate()
        return (isFirst, hasEnded.isSet)
      }
    }
    mayEnd.send()
    for (index, task) in tasks.enumerated() { #expect(await task.value == (index == 0, true)) }
    thread.join()
  }

  /// The end of the inner delivery resumes the task on the thread of the outer one.
  @Test func aTaskThatGoesOnInsideADeliveryWaitsForIt() async {
    let lifecycle = activeLifecycle("Inline")
    let (isInvalidated, wasEarly) = (RelaxedFlag(), RelaxedFlag())
    let thread = PlatformThread {
      lifecycle.whileActive {
        lifecycle.whileActive {
          isInside.send()
          mayEnd.wait()
        }
        if isInvalidated.isSet { wasEarly.set() }
      }
    }
    onAnotherThread { isInside.wait() }
    // Runs here until it is suspended.
    let task = Task(executorPreference: InlineExecutor()) {
      await lifecycle.invalidate { isInvalidated.set() }
    }
    mayEnd.send()
    #expect(await task.value)
    thread.join()
    #expect(!wasEarly.isSet)
  }

  /// The end of the delivery in which the task began resumes it, and another one still runs.
  @Test func aTaskThatBeganInADeliveryWaitsForAnother() async {
    let lifecycle = activeLifecycle("Immediate")
    let isInvalidated = RelaxedFlag()
    let thread = PlatformThread {
      lifecycle.whileActive {
        isInside.send()
        mayEnd.wait()
      }
    }
    let task = await onAThread {
      isInside.wait()
      return lifecycle.whileActive {
        Task.immediate(executorPreference: InlineExecutor()) {
          await lifecycle.invalidate { isInvalidated.set() }
        }
      }
    }
    #expect(!isInvalidated.isSet)
    mayEnd.send()
    #expect(await task?.value == true)
    thread.join()
  }

  @Test func aCancelledTaskWaitsAsWell() async {
    let lifecycle = activeLifecycle("Cancelled")
    let order = Protector<[String]>([])
    let thread = PlatformThread {
      lifecycle.whileActive {
        isInside.send()
        mayEnd.wait()
        order.withWriteLock { $0.append("delivery") }
      }
    }
    onAnotherThread { isInside.wait() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await lifecycle.invalidate { order.withWriteLock { $0.append("body") } }
    }
    while !lifecycle.core.current.hasWaiters { await Task.yield() }
    mayEnd.send()
    await task.value
    #expect(order.value == ["delivery", "body"])
    thread.join()
  }

  @Test
  func anErrorOfTheBodyPassesThrough() async {
    struct Failure: Error {}
    let lifecycle = activeLifecycle("Throwing")
    await #expect(throws: Failure.self) {
      try await lifecycle.invalidate { () throws(Failure) in throw Failure() }
    }
    #expect(lifecycle.state == .invalidated)
  }

  /// Three threads call `whileActive`, while tasks and another thread invalidate.
  ///
  /// No body of `whileActive` may run after an invalidation has returned.
  @Test
  func tasksInvalidateBesideDeliveringThreads() async {
    for _ in 0..<StressSize.pick(quick: 50, full: 3_000) {
      let lifecycle = activeLifecycle("Racing")
      // There is deliberately no lock: each thread writes its own variable, and tasks read them only after an
      // invalidation, which must wait for all bodies of `whileActive`.
      let values = (0..<3).map { _ in Unguarded(0) }
      let isOver = RelaxedFlag()
      let bodies = RelaxedCounter()
      async let deliveries: Void = Self.onThreads(3) { index in
        while !isOver.isSet {
          let hasRun: Void? = lifecycle.whileActive { values[index].value += 1 }
          // Tasks may wait long for a thread of the pool, so this thread sleeps instead of using the
          // processor.
          if hasRun == nil { MonotonicClock.sleep(.microseconds(20)) }
        }
      }
      async let blocking: Void = Self.onThreads(1) { _ in
        lifecycle.invalidate { _ = bodies.add(1) }
        return ()
      }
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await lifecycle.invalidate { _ = bodies.add(1) }
            _ = values.reduce(0) { $0 + $1.value }
          }
        }
      }
      for value in values { value.value = -1 }
      isOver.set()
      await deliveries
      await blocking
      #expect(bodies.value == 1)
      #expect(values.allSatisfy { $0.value == -1 })
    }
  }

  /// Runs `body` on racing threads, and suspends the task until all of them have ended.
  ///
  /// A new thread waits for them. A thread of libdispatch would not do, because tasks need those threads.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    // The bodies wait for tasks, which may start late while other tests occupy the pool. So the limit of
    // this race is longer than the default.
    await onAThread { _ = race(threads: count, limit: Watchdog.limit * 5) { body($0) } }
  }

  @Test func invalidatingASourceAwaitsItsHandler() async {
    let queue = DispatchQueue(label: "events")
    let order = Protector<[String]>([])
    var setup = Setup<ActivatedSource<AddedData>>(.adding(on: queue))
    setup.configuration.onEvent = { _ in
      isInside.send()
      MonotonicClock.sleep(.milliseconds(20))
      order.withWriteLock { $0.append("handler") }
    }
    setup.configuration.onCancel = { order.withWriteLock { $0.append("cancel") } }
    let activation = setup.activate()
    let source = activation.object
    source.add(1)
    onAnotherThread { isInside.wait() }
    await source.invalidate()
    #expect(order.value.first == "handler")
    await activation.invalidate()
    #expect(source.state == .invalidated)
    onAnotherThread { order.withReadLock(waitingUntil: { $0.count == 2 }) { _ in } }
    #expect(order.value == ["handler", "cancel"])
  }

  @Test func anActivationHasReleasedItsObjectWhenItReturns() async {
    let isReleased = RelaxedFlag()
    let configuration = SlowlyReleased.Configuration(isReleased: isReleased)
    await Setup<SlowlyReleased>(configuration).activate().invalidate()
    #expect(isReleased.isSet)
  }

  /// The task is resumed only after the invalidation, which waits here until the task is suspended.
  @Test func anActivationHasInvalidatedItsObjectWhenItReturns() async {
    let log = Log()
    await Task(executorPreference: log) { await Setup<Logged>(log).activate().invalidate() }.value
    #expect(log.lines.value == ["part", "invalidated", "part"])
  }

  /// An object with an asynchronous invalidation needs no thread for it.
  @Test func anActivationUsesTheAsynchronousInvalidation() async {
    let configuration = Suspending.Configuration(blocked: RelaxedFlag(), suspended: RelaxedFlag())
    await Setup<Suspending>(configuration).activate().invalidate()
    #expect(configuration.suspended.isSet)
    #expect(!configuration.blocked.isSet)
  }

  // On threads of libdispatch, which adds one thread a second beside blocked ones, this takes some minutes, and
  // the process is ended before. A time limit of the test would count the time until the pool continues it.
  @Test func anActivationNeedsNoThreadOfAPool() async {
    await #expect(processExitsWith: .success) {
      await Task(executorPreference: ThreadPerPart()) {
        let configuration = SlowlyReleased.Configuration(isReleased: RelaxedFlag())
        let activation = Setup<SlowlyReleased>(configuration).activate()
        let ends = Protector(false)
        for _ in 0..<200 {
          DispatchQueue.global().async { ends.withReadLock(waitingUntil: { $0 }) { _ in } }
        }
        await activation.invalidate()
        exit(0)
      }
      .value
    }
  }
}

/// Runs each part of a task on a thread of its own, and so on none of a pool.
private final class ThreadPerPart: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    PlatformThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.detach()
  }
}

/// An object whose end takes a while.
private final class SlowlyReleased: Activatable {
  struct Configuration: Sendable {
    let isReleased: RelaxedFlag
  }

  private let lifecycle = Lifecycle(label: "Slowly released")
  private let isReleased: RelaxedFlag

  init(_ configuration: Configuration) { isReleased = configuration.isReleased }

  deinit {
    MonotonicClock.sleep(.milliseconds(20))
    isReleased.set()
  }

  func activate() { lifecycle.activate() }

  func invalidate() { lifecycle.invalidate() }
}

/// Notes when the parts of a task become due, and runs each on a thread of its own.
private final class Log: TaskExecutor {
  let lines = ExclusiveProtector<[String]>([])
  let endedParts = RelaxedCounter()

  func enqueue(_ job: consuming ExecutorJob) {
    lines.withLock { $0.append("part") }
    let job = UnownedJob(job)
    PlatformThread {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      self.endedParts.add(1)
    }
    .detach()
  }
}

private final class Logged: Activatable {
  private let log: Log

  init(_ log: Log) { self.log = log }
  func activate() {}

  func invalidate() {
    while log.endedParts.value == 0 { PlatformThread.yield() }
    log.lines.withLock { $0.append("invalidated") }
  }
}

/// An object that says how it was invalidated.
private final class Suspending: Activatable {
  struct Configuration: Sendable {
    let blocked: RelaxedFlag
    let suspended: RelaxedFlag
  }

  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }
  func activate() {}
  func invalidate() { configuration.blocked.set() }
  func invalidate(isolation: isolated (any Actor)? = #isolation) async { configuration.suspended.set() }
}
