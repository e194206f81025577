#if Exploration
  import Exploration
  @testable import InterlockCore
  @testable import InterlockWaits
  import ReadWriteLocks
  import Testing
  import UnfairLocks

  @testable import Protectors

  /// Explores tasks that wait in a protector's queue: for predicates, and as observers.
  ///
  /// A thread acts as a task. Where the task would be suspended, the thread polls.
  @Suite(.serialized) struct TaskWaitScheduleTests {
    private typealias Protected = ExclusiveProtector<Int>

    private static func suspend(_ task: TaskWaiter) {
      while task.word.load(.acquiring) != TaskWaiter.resumed { Backoff.yieldUntilChange() }
    }

    private static func isAtRest(_ protector: Protected) -> Bool {
      let waiting = protector.waiters.waiting
      return !protector.waiters.isNotEmpty && waiting?.cancellableCount.loadRelaxed() ?? 0 == 0
    }

    /// What the runtime keeps for a task: whether it is cancelled, and whether it has a cancellation handler.
    private final class CancellationHandler: Sendable {
      private let status = UnfairLock()
      // Sound: `status` guards them.
      private nonisolated(unsafe) var isCancelled = false
      private nonisolated(unsafe) var isInstalled = false

      func cancel(_ handler: () -> Void) {
        status.withLock {
          isCancelled = true
          if isInstalled { handler() }
        }
      }

      /// Runs `body` with the handler; returns whether the task is cancelled.
      func isCancelled(during body: () -> Void, _ handler: () -> Void) -> Bool {
        status.withLock {
          isInstalled = true
          if isCancelled { handler() }
        }
        body()
        return status.withLock {
          isInstalled = false
          return isCancelled
        }
      }
    }

    /// A task that subtracts 1 from the protected number as soon as the number is positive.
    private final class Taker: Sendable {
      private let protector: Protected
      private let wait: TaskWait
      private let handler = CancellationHandler()

      init(_ protector: Protected, _ group: WaitGroup?, isDue: Bool) {
        self.protector = protector
        // The closure below ignores the predicate's address, so any address will do.
        wait = TaskWait(
          queue: protector.waiters.key, .task, group: group, primitive: Primitive(.predicate), until: .never,
          predicate: UnsafeRawPointer(bitPattern: 8)!
        ) { value, _ in value.assumingMemoryBound(to: Int.self).pointee > 0 }
        if isDue { wait.waiter.pointee.overtakings = 64 }
      }

      func cancel() { handler.cancel(wait.giveUp) }

      /// Does what the timer does, perhaps between two waits.
      func expire() { wait.giveUp() }

      /// Does what the asynchronous `withWriteLock(waitingUntil:)` does; returns `false` if the task gave up.
      func take() -> Bool {
        var isServed = false
        var outcome = InterlockWaits.Outcome<Void, any Error>()
        while protector.attempt(wait, isServed: isServed, { $0 > 0 }, &outcome, { $0 -= 1 }) {
          wait.willWait()
          _ = handler.isCancelled(during: { suspend(wait.task) }, wait.giveUp)
          isServed = wait.isServed
          if !isServed { break }
        }
        return outcome.isPresent
      }
    }

    /// Explores `count` tasks that each take 1, while the first thread adds 1 `added` times.
    ///
    /// - Parameters:
    ///   - cancellable: The indices of the tasks that give up, at any step. For an index that occurs twice, a
    ///     timer expires as well.
    ///   - threads: The number of threads that each take 1, too.
    ///   - together: Whether the tasks wait for one condition.
    ///   - areDue: Whether no task may go ahead of another that was served.
    private func takers(
      _ name: String, _ count: Int, cancellable: [Int] = [], adding added: Int, threads: Int = 0,
      together: Bool = false, areDue: Bool = false,
      _ strategy: ExplorationStrategy, mayEndEarly: Bool = true
    ) throws {
      try check("waits of tasks, \(name)", strategy, mayEndEarly: mayEndEarly) { run in
        let protector = ExclusiveProtector(0)
        let group = together ? WaitGroup(queue: protector.waiters.key) : nil
        let takers = (0..<count).map { _ in Taker(protector, group, isDue: areDue) }
        let tasks = takers.map { taker in run.thread { taker.take() } }
        let leaving = cancellable.enumerated().map { number, index in
          let isFirst = cancellable.firstIndex(of: index) == number
          return run.thread { if isFirst { takers[index].cancel() } else { takers[index].expire() } }
        }
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
        run.expect(Self.isAtRest(protector))
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

    @Test func twoTasksWaitForOneCondition() throws {
      try takers("2 tasks, 1 condition", 2, adding: 2, together: true, .exhaustive(preemptions: 1))
      try takers("2 tasks, 1 condition", 2, adding: 2, together: true, Self.random)
      try takers(
        "2 tasks, 1 condition, first cancelled", 2, cancellable: [0], adding: 2, together: true,
        .exhaustive(preemptions: 1))
      try takers(
        "2 tasks for 1 element, 1 condition", 2, cancellable: [0, 1], adding: 1, together: true, Self.random)
      try takers(
        "3 tasks and 1 thread, 1 condition", 3, cancellable: [0, 1], adding: 4, threads: 1, together: true,
        Self.random)
    }

    /// Each task that comes while another one is served must wait behind that one.
    @Test func tasksWaitBehindOneThatIsDue() throws {
      try takers("2 due tasks", 2, adding: 2, areDue: true, .exhaustive(preemptions: 1))
      try takers("2 due tasks", 2, adding: 2, areDue: true, Self.random)
      try takers("2 due tasks, 1 cancelled", 2, cancellable: [1], adding: 2, areDue: true, Self.random)
      try takers(
        "3 due tasks and 1 thread", 3, cancellable: [0, 1], adding: 4, threads: 1, areDue: true, Self.random)
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
      private let handler = CancellationHandler()

      init(_ protector: Protected) {
        self.protector = protector
        observer = ValueObserver(queue: protector.waiters.key, Primitive(.predicate))
      }

      func cancel() { handler.cancel(observer.leave) }

      /// Does what `TaskWait.isServedAfterSuspension` does; returns whether the task is cancelled.
      private func waitForChange() -> Bool {
        handler.isCancelled(during: { suspend(observer.task) }, observer.leave)
      }

      /// Iterates over the published numbers until it gets `last` or is cancelled.
      ///
      /// - Returns: The newest number that it got.
      func newest(until last: Int, _ run: Execution) -> Int {
        var newest = -1
        while true {
          let value = protector.ownLock.withLock {
            observer.join()
            return protector.data
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
        run.expect(Self.isAtRest(protector))
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
