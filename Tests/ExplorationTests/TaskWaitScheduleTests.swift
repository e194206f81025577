#if Exploration
  import Exploration
  import LockSupport
  import ReadWriteLocks
  import Testing
  import UnfairLocks

  @testable import Protectors
  @testable import TaskWaiters

  /// Explores tasks that wait in a protector's queue: for predicates, and as observers.
  ///
  /// A thread acts as a task. Where the task would be suspended, the thread polls.
  @Suite(.serialized) struct TaskWaitScheduleTests {
    private typealias Protected = ExclusiveProtector<Int>

    private static func suspend(_ task: TaskWaiter) {
      while task.word.load(.acquiring) != TaskWaiter.resumed { Backoff.yieldUntilChange() }
    }

    /// A task that subtracts 1 from the protected number as soon as the number is positive.
    private final class Taker: Sendable {
      private let protector: Protected
      private let wait: TaskWait

      init(_ protector: Protected) {
        self.protector = protector
        // The closure below ignores the predicate's address, so any address will do.
        wait = TaskWait(
          queue: protector.waiters.key, primitive: Primitive(.predicate),
          predicate: UnsafeRawPointer(bitPattern: 8)!, until: .never
        ) { value, _ in value.assumingMemoryBound(to: Int.self).pointee > 0 }
      }

      func giveUp() { wait.giveUp() }

      /// Does what the asynchronous `withWriteLock(waitingUntil:)` does; returns `false` if the task gave up.
      func take() -> Bool {
        var isQueued = false
        var hasTaken = false
        var waits = true
        while waits {
          waits = false
          var served = ServedWaiters()
          protector.lock.withWriteLock {
            if protector.value > 0 {
              protector.waiters.arrive(wait.waiter)
              protector.value -= 1
              hasTaken = true
              if protector.waiters.isNotEmpty { served = protector.serveWaiters() }
            } else {
              waits = protector.waitOn(wait, isQueued: isQueued)
            }
          }
          if served.isNotEmpty { served.wake() }
          isQueued = true
          if waits {
            wait.beginWaiting()
            suspend(wait.task)
            waits = wait.isServedAtEnd()
          }
        }
        return hasTaken
      }
    }

    /// Explores `count` tasks that each take 1, while the first thread adds 1 `added` times.
    ///
    /// - Parameters:
    ///   - cancellable: The indices of the tasks that give up, at any step. For an index that occurs twice,
    ///     two threads end the task's wait.
    ///   - threads: The number of threads that each take 1, too.
    private func takers(
      _ name: String, _ count: Int, cancellable: [Int] = [], adding added: Int, threads: Int = 0,
      _ strategy: ExplorationStrategy, mayEndEarly: Bool = true
    ) throws {
      try check("waits of tasks, \(name)", strategy, mayEndEarly: mayEndEarly) { run in
        let protector = ExclusiveProtector(0)
        let takers = (0..<count).map { _ in Taker(protector) }
        let tasks = takers.map { taker in run.thread { taker.take() } }
        let leaving = cancellable.map { index in run.thread { takers[index].giveUp() } }
        let waiting = (0..<threads).map { _ in
          run.thread { protector.withLock(waitingUntil: { $0 > 0 }) { $0 -= 1 } }
        }
        for _ in 0..<added { protector.withLock { $0 += 1 } }
        var taken = 0
        for task in tasks where task.join() { taken += 1 }
        for thread in leaving { thread.join() }
        for thread in waiting { thread.join() }
        run.expect(taken >= count - Set(cancellable).count, "a task that does not give up is served")
        run.expect(protector.withLock { $0 } == added - taken - threads, "no element is lost")
        run.expect(!protector.waiters.isNotEmpty && protector.waiters.cancellableCount.loadRelaxed() == 0)
      }
    }

    private static let random = ExplorationStrategy.priorities(executions: 5_000, depth: 4)

    @Test func oneTaskWaits() throws {
      try takers("1 task", 1, adding: 1, .exhaustive(), mayEndEarly: false)
    }

    @Test func oneTaskWaitsAndGivesUp() throws {
      try takers("1 task, cancelled", 1, cancellable: [0], adding: 1, .exhaustive(preemptions: 2))
      try takers("1 task, cancelled and late", 1, cancellable: [0, 0], adding: 1, Self.random)
    }

    @Test func oneTaskWaitsInVainAndGivesUp() throws {
      try takers(
        "1 task, cancelled, no element", 1, cancellable: [0], adding: 0, .exhaustive(preemptions: 2))
    }

    @Test func twoTasksWait() throws {
      try takers("2 tasks", 2, adding: 2, .exhaustive(preemptions: 1))
      try takers("2 tasks", 2, adding: 2, Self.random)
    }

    @Test func twoTasksWaitAndOneGivesUp() throws {
      try takers("2 tasks, 1 cancelled", 2, cancellable: [1], adding: 2, .exhaustive(preemptions: 1))
      try takers("2 tasks, 1 cancelled", 2, cancellable: [1], adding: 2, Self.random)
    }

    /// Two tasks wait for one element and may give up; the element must be taken or remain in the protector.
    @Test func theOtherTaskGetsTheElement() throws {
      try takers("2 tasks for 1 element", 2, cancellable: [0, 1], adding: 1, .exhaustive(preemptions: 0))
      try takers("2 tasks for 1 element", 2, cancellable: [0, 1], adding: 1, Self.random)
    }

    @Test func threeTasksWaitAndTwoGiveUp() throws {
      try takers("3 tasks, 2 give up", 3, cancellable: [1, 2], adding: 3, .exhaustive(preemptions: 0))
      try takers("3 tasks, 2 give up", 3, cancellable: [1, 2], adding: 3, Self.random)
    }

    @Test func aTaskWaitsBesideAThread() throws {
      try takers("1 task and 1 thread", 1, adding: 2, threads: 1, .exhaustive(preemptions: 1))
      try takers("1 task and 1 thread, cancelled", 1, cancellable: [0], adding: 2, threads: 1, Self.random)
    }

    // MARK: Observers

    /// A task that observes the number of a protector as an asynchronous iterator does.
    private final class Observing: Sendable {
      private let protector: Protected
      private let observer: ValueObserver
      /// Guards `isCancelled` and `hasHandler`, in place of the runtime's lock for a task's cancellation
      /// handler.
      private let status = UnfairLock()
      private nonisolated(unsafe) var isCancelled = false
      private nonisolated(unsafe) var hasHandler = false

      init(_ protector: Protected) {
        self.protector = protector
        observer = ValueObserver(queue: protector.waiters.key, Primitive(.predicate))
      }

      func cancel() {
        status.withLock {
          isCancelled = true
          if hasHandler { observer.leave() }
        }
      }

      /// Does what `ValueObserver.waitForChange` does; returns whether the task is cancelled.
      private func waitForChange() -> Bool {
        status.withLock {
          hasHandler = true
          if isCancelled { observer.leave() }
        }
        suspend(observer.task)
        return status.withLock {
          hasHandler = false
          return isCancelled
        }
      }

      /// Iterates over the published numbers until it gets `last` or is cancelled.
      ///
      /// - Returns: The newest number that it got.
      func newest(until last: Int, _ run: Execution) -> Int {
        var newest = -1
        while true {
          let value = protector.lock.withWriteLock {
            observer.join()
            return protector.value
          }
          run.expect(value > newest, "each number is newer")
          newest = value
          if newest == last { break }
          if waitForChange() { return newest }
        }
        // The iterator ends.
        observer.leave()
        return newest
      }
    }

    /// Explores `count` tasks that observe a number, to which the first thread adds 1 twice.
    private func observers(
      _ name: String, _ count: Int, cancelled: [Int] = [], _ strategy: ExplorationStrategy,
      mayEndEarly: Bool = true
    ) throws {
      try check("observers, \(name)", strategy, mayEndEarly: mayEndEarly) { run in
        let protector = ExclusiveProtector(0)
        let observing = (0..<count).map { _ in Observing(protector) }
        let tasks = observing.map { entry in run.thread { entry.newest(until: 2, run) } }
        let cancelling = cancelled.map { index in run.thread { observing[index].cancel() } }
        for _ in 0..<2 { protector.withLock { $0 += 1 } }
        for (index, task) in tasks.enumerated() {
          let newest = task.join()
          run.expect(newest == 2 || cancelled.contains(index), "the last number arrives")
        }
        for thread in cancelling { thread.join() }
        run.expect(!protector.waiters.isNotEmpty && protector.waiters.cancellableCount.loadRelaxed() == 0)
      }
    }

    @Test func oneTaskObserves() throws {
      try observers("1 task", 1, .exhaustive(), mayEndEarly: false)
    }

    @Test func oneTaskObservesAndIsCancelled() throws {
      try observers("1 task, cancelled", 1, cancelled: [0], .exhaustive(preemptions: 2))
      try observers("1 task, cancelled", 1, cancelled: [0], Self.random)
    }

    @Test func twoTasksObserve() throws {
      try observers("2 tasks, 1 cancelled", 2, cancelled: [1], .exhaustive(preemptions: 1))
      try observers("2 tasks, 1 cancelled", 2, cancelled: [1], Self.random)
    }
  }
#endif
