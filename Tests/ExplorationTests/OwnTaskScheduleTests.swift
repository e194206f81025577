#if Exploration
  import AsyncLocks
  import AtomicProperties
  import Dispatch
  import Exploration
  import Jobs
  import Lifecycles
  import InterlockCore
  import InterlockWaits
  import Observers
  import Protectors
  import TestSupport
  import Testing
  import UnfairLocks
  import ViewModels

  @testable import Snapshots

  /// Explores tasks that call the package's asynchronous functions.
  @Suite(.serialized) struct OwnTaskScheduleTests {
    private static let bounded = ExplorationStrategy.exhaustive(preemptions: 1)

    @Test(arguments: [2, 3]) func anAsyncMutexExcludes(tasks: Int) throws {
      try check("AsyncMutex, \(tasks) tasks", tasks == 2 ? Self.bounded : .random(executions: 2_000)) { run in
        let mutex = AsyncMutex(0)
        let section = LimitedSection(run)
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

    @Test(arguments: [2, 3]) func anAsyncSemaphoreLimits(tasks: Int) throws {
      let strategy = tasks == 2 ? Self.bounded : .random(executions: 2_000)
      try check("AsyncSemaphore, \(tasks) tasks", strategy) { run in
        let semaphore = AsyncSemaphore(permits: tasks - 1)
        let section = LimitedSection(run, limit: tasks - 1)
        let tasks = (0..<tasks).map { _ in
          run.task { await semaphore.withPermit { await section.body() } }
        }
        for task in tasks { task.join() }
      }
    }

    @Test(arguments: [1, 2], [nil, Duration.seconds(1)])
    func aPredicateIsServed(waiting: Int, timeout: Duration?) throws {
      let strategy = waiting == 1 ? Self.bounded : .random(executions: 2_000)
      let name = "a predicate\(timeout == nil ? "" : " with a deadline"), \(waiting) waiting tasks"
      try check(name, strategy) { run in
        let value = ExclusiveProtector(0)
        let waiters = (0..<waiting).map { _ in
          run.task {
            await unlessTimedOut {
              try await value.withLock(waitingUntil: { $0 > 0 }, timeout: timeout) { $0 }
            }
          }
        }
        run.task { value.withLock { $0 = 1 } }.join()
        for waiter in waiters { run.expect(waiter.join() ?? (timeout == nil ? 0 : 1) == 1) }
      }
    }

    @Test(arguments: [1, 2]) func aTaskInvalidatesALifecycle(tasks: Int) throws {
      try check("Lifecycle, \(tasks) tasks invalidate", .exhaustive(preemptions: 3 - tasks)) { run in
        let living = LifecycleScheduleTests.Living()
        living.lifecycle.activate()
        let delivery = run.thread { living.deliver() }
        let tasks = (0..<tasks).map { _ in
          run.task { await living.lifecycle.invalidate { living.cell.value += 1 } }
        }
        run.expect(tasks.map { $0.join() }.count { $0 } == 1, "one invalidation is the first")
        living.cell.value += 1
        delivery.join()
      }
    }

    @Test func anAsyncMutexTimesOut() throws {
      let outcomes = try results("AsyncMutex, a deadline", .exhaustive(preemptions: 2)) { run in
        let mutex = AsyncMutex(0)
        let holder = run.task {
          await mutex.withLock { value in
            await Task.yield()
            value += 1
          }
        }
        let late = run.task {
          await ending(of: mutex) { try await mutex.withLock(timeout: .seconds(1)) { $0 += 1 } } == .returned
        }
        holder.join()
        let isServed = late.join()
        let value = run.task { await mutex.withLock { $0 } }.join()
        run.expect(value == (isServed ? 2 : 1), "a section runs unless the deadline passes")
        return isServed
      }
      #expect(outcomes == [false, true])
    }

    /// Only the deadline can end the task's wait, so the explorer must let the deadline pass.
    @Test func aPredicateTimesOut() throws {
      try check("a predicate, a deadline") { run in
        let value = ExclusiveProtector(0)
        let start = Deadline.now
        let waiting = run.task {
          await unlessTimedOut {
            try await value.withLock(waitingUntil: { $0 > 0 }, timeout: .seconds(1)) { $0 }
          }
        }
        run.expect(waiting.join() == nil)
        run.expect(Deadline.now >= start + 1_000_000_000, "the explored clock has reached the deadline")
      }
    }

    /// An atomic word in memory that a later word uses, too.
    private final class Word: Sendable {
      // Sound: the initializer makes the word, and `deinit` ends it.
      private nonisolated(unsafe) let memory: UnsafeMutablePointer<LockWord>
      private let hasEnded: LockFreeProperty<Bool>

      init(_ memory: UnsafeMutablePointer<LockWord>, _ hasEnded: LockFreeProperty<Bool>) {
        self.memory = memory
        self.hasEnded = hasEnded
        memory.initialize(to: LockWord(0))
      }

      func store(_ value: UInt32) { memory.pointee.storeRelaxed(value) }

      deinit {
        memory.deinitialize(count: 1)
        hasEnded.store(true, ordering: .releasing)
      }
    }

    /// The closure of a deadline must be freed where the explorer sees the end of the words that it captures.
    ///
    /// Otherwise a later word at the address of such a word has the values of both, and executions depend on
    /// the addresses that memory has.
    @Test func theClosureOfADeadlineEndsInTheExploration() throws {
      try check("the closure of a deadline", Self.bounded) { run in
        // Sound: `Word` and the code after its end use the memory in turn.
        nonisolated(unsafe) let memory = UnsafeMutablePointer<LockWord>.allocate(capacity: 1)
        let hasEnded = LockFreeProperty(false)
        let task = run.task {
          let word = Word(memory, hasEnded)
          let deadline = Deadline(after: .seconds(1))
          DeadlineTimer.shared.schedule(DeadlineTimer.Entry(deadline) { word.store(1) })
        }
        task.join()
        while !hasEnded.load(ordering: .acquiring) { spinLoopHint() }
        memory.initialize(to: LockWord(1))
        run.expect(memory.pointee.loadRelaxed() == 1, "no value of the earlier word is read")
        memory.deinitialize(count: 1)
        memory.deallocate()
      }
    }

    /// A task tries again after each timeout, and the execution must still end.
    ///
    /// In an exploration, the deadline of a task passes again only after another task has changed something.
    @Test func aTaskThatTriesAgainAfterItsTimeoutsEnds() throws {
      try check("AsyncSemaphore, tried again after timeouts", .exhaustive(preemptions: 1)) { run in
        let semaphore = AsyncSemaphore(permits: 1)
        run.inTasks(
          { await semaphore.withPermit { await Task.yield() } },
          {
            while await ending(of: semaphore, { try await semaphore.withPermit(timeout: .seconds(1)) {} })
              == .timedOut
            {}
          })
      }
    }

    @Test(arguments: [2, 3]) func jobsEndBeforeTheirScope(jobs: Int) throws {
      let strategy = jobs == 2 ? Self.bounded : .random(executions: 2_000)
      try check("withJobs, \(jobs) jobs", strategy) { run in
        let done = ExclusiveProtector(0)
        let task = run.task(mayBeCancelled: jobs > 2) {
          await withJobs(maxConcurrentJobs: 2) { scope in
            for _ in 0..<jobs { scope.add { done.withLock { $0 += 1 } } }
          }
          return done.withLock { $0 }
        }
        run.expect(task.join() == jobs, "all jobs have ended")
      }
    }

    @Test func theCompletionRunsOnceOnItsActor() throws {
      try check("withJobs, a completion", .random(executions: 2_000)) { run in
        let table = Table()
        let done = ExclusiveProtector(0)
        run.thread {
          withJobs(maxConcurrentJobs: 2) { scope in
            scope.add { scope in
              done.withLock { $0 += 1 }
              scope.add { done.withLock { $0 += 1 } }
            }
          } completion: { @MainActor in
            table.show(done.withLock { $0 })
          }
        }
        .join()
        let rows = run.task { @MainActor in
          while table.rows.isEmpty { await Task.yield() }
          return table.rows
        }
        run.expect(rows.join() == [2], "the completion follows both jobs")
      }
    }

    @Test func jobsOnAQueueOfTheProgramAreRefused() throws {
      let failure = try failure { _ in
        withJobs(on: DispatchQueue(label: "serial")) {
          $0.add {}
        } completion: {
        }
      }
      #expect(failure.reason == "Trap: withJobs is explored without a queue only.")
    }

    private struct Refused: Error { let number: Int }

    @Test(arguments: [2, 3]) func aConcurrentMapThrowsTheFirstError(elements: Int) throws {
      let outcomes = try results("concurrentMap, \(elements) elements", .exhaustive(preemptions: 2)) { run in
        run.expect((0..<elements).concurrentMap { $0 * $0 } == (0..<elements).map { $0 * $0 })
        let tried = ExclusiveProtector(0)
        do throws(Refused) {
          _ = try (0..<elements).concurrentMap { (number) throws(Refused) in
            tried.withLock { $0 += 1 }
            throw Refused(number: number)
          }
          run.expect(false, "it throws")
        } catch {
          run.expect(error.number == 0, "the error of a plain loop")
        }
        return tried.withLock { $0 }
      }
      // An error ends the map. In some executions it ends before a second element is begun. In others, a
      // second thread has already begun another element.
      #expect(outcomes.isSuperset(of: [1, 2]))
    }

    @MainActor private final class Table {
      private(set) var rows: [Int] = []
      nonisolated init() {}
      func show(_ row: Int) { rows.append(row) }
    }

    private actor Receiver {
      private(set) var received: [Int] = []
      func receive(_ number: Int) { received.append(number) }

      func end(_ delivery: OrderedDelivery<Int>) -> [Int] {
        delivery.finish()
        return received
      }
    }

    /// A thread and a task post to an actor, and the task waits for room; if `ends`, another task ends the
    /// delivery.
    ///
    /// Nothing may be delivered after the end. Without an end, the task must find room.
    @Test(arguments: [false, true]) func aDeliveryReachesAnActorUntilItsEnd(ends: Bool) throws {
      try check("OrderedDelivery, an actor\(ends ? ", an end" : "")", .random(executions: 2_000)) { run in
        let receiver = Receiver()
        let delivery = OrderedDelivery<Int>(to: receiver, limit: 1) { $0.receive($1) }
        let thread = run.thread { _ = delivery.post(1) && delivery.post(2) }
        let task = run.task {
          while !delivery.post(3) { guard (try? await delivery.waitForRoom()) == true else { return false } }
          return true
        }
        if ends {
          let atEnd = run.task { await receiver.end(delivery) }
          task.join()
          thread.join()
          let (before, after) = (atEnd.join(), run.task { await receiver.received }.join())
          run.expect(before == after, "nothing is delivered after the end")
        } else {
          thread.join()
          run.expect(task.join(), "the task finds room")
          let received = run.task {
            while await !receiver.received.contains(3) { await Task.yield() }
            return await receiver.received
          }
          let order = received.join()
          run.expect([1, 2].starts(with: order.filter { $0 < 3 }), "the order is \(order)")
        }
      }
    }

    @MainActor private final class RowTable: RowsObserver {
      private(set) var texts: [[String]] = []
      private(set) var numbers: [Int] = []
      nonisolated init() {}

      func rowInserted(_ notification: RowNotification) {
        texts.append(notification.rows.map(\.text))
        numbers.append(notification.number)
      }
    }

    /// Two threads edit the list, and the main actor must be notified of both edits in their order.
    @Test func rowsReachTheMainActorInOrder() throws {
      try check("RowsViewModel", .random(executions: 500)) { run in
        HazardRegistry.resetForExploration()
        let table = RowTable()
        let model = run.task { @MainActor in
          var configuration = RowsConfiguration()
          configuration.strategy = .exclusiveSnapshots
          let model = RowsViewModel(configuration)
          model.observer = table
          return model
        }
        .join()
        let threads = ["a", "b"].map { text in
          run.thread { model.apply(.insert(text, at: .index(0))) }
        }
        for thread in threads { run.expect(thread.join() == .accepted) }
        let shown = run.task { @MainActor in
          while table.texts.count < 2 { await Task.yield() }
          return (table.texts, table.numbers)
        }
        let (texts, numbers) = shown.join()
        run.expect(numbers == [1, 2], "numbers \(numbers)")
        run.expect(texts == [["a"], ["b", "a"]] || texts == [["b"], ["a", "b"]], "rows \(texts)")
      }
    }
  }
#endif
