internal import AsyncLocks
internal import BenchmarkHarness
internal import Dispatch
internal import Protectors

/// Makes contestants that run in tasks.
///
/// The harness's worker starts the tasks of a batch, and waits until they have ended.
enum TaskTrial {
  static func contestant(_ name: String, _ batch: @escaping @Sendable (_ count: Int) async -> Int)
    -> Contestant
  {
    Contestant(name: name) { _, count in
      let result = IsolatedBox(0)
      let isDone = DispatchSemaphore(value: 0)
      Task.detached {
        result.pointer.pointee = await batch(count)
        isDone.signal()
      }
      isDone.wait()
      return result.pointer.pointee
    }
  }

  // MARK: Sections without contention, in one task

  static var protector: Contestant {
    let protector = Protector(0)
    return contestant(TaskName.protector) { count in
      for _ in 0..<count { protector.withWriteLock { $0 &+= 1 } }
      return protector.withWriteLock { $0 }
    }
  }

  static var mutex: Contestant {
    let mutex = AsyncMutex(0)
    return contestant(TaskName.mutex) { count in
      for _ in 0..<count { await mutex.withLock { $0 &+= 1 } }
      return await mutex.withLock { $0 }
    }
  }

  static var predicate: Contestant {
    let protector = Protector(0)
    return contestant(TaskName.predicate) { count in
      for _ in 0..<count { _ = await protector.withWriteLock(waitingUntil: { $0 >= 0 }) { $0 &+= 1 } }
      return protector.withWriteLock { $0 }
    }
  }

  static var actor: Contestant {
    let counter = ActorOfQueue()
    return contestant(TaskName.actor) { count in
      var sum = 0
      for _ in 0..<count { sum = outsideOfTheActor(sum, await counter.add()) }
      return sum
    }
  }

  /// Adds two numbers outside the actor.
  ///
  /// The measured loop calls this function after each operation, and so leaves the actor. Otherwise the
  /// optimiser could run the whole loop in the actor.
  @inline(never)
  private static func outsideOfTheActor(_ first: Int, _ second: Int) -> Int { first &+ second }

  /// Makes a contestant whose tasks share the permits of `semaphore`; an operation is a critical section.
  static func permits(
    _ name: String, _ semaphore: some SemaphoreOfTasks, tasks: Int
  ) -> Contestant {
    contestant(name) { count in
      guard tasks > 1 else { return await sections(semaphore, count) }
      return await withTaskGroup(of: Int.self) { group in
        for _ in 0..<tasks { group.addTask { await sections(semaphore, count / tasks) } }
        return await group.reduce(0, +)
      }
    }
  }

  private static func sections(_ semaphore: some SemaphoreOfTasks, _ count: Int) async -> Int {
    await semaphore.run(count)
    return count
  }

  // MARK: Hand-offs between two tasks

  /// Measures hand-offs of a mutex between two tasks.
  ///
  /// Each critical section yields, so that the other task begins to wait for the mutex. A critical section
  /// counts only if the previous one was the other task's.
  static var mutexHandOffs: Contestant {
    contestant(TaskName.mutex) { count in
      let turns = AsyncMutex((last: 0, count: 0))
      await withTaskGroup { group in
        for player in 1...2 {
          group.addTask {
            while true {
              let turn = await turns.withLock { turns in
                if turns.last != player {
                  turns.last = player
                  turns.count += 1
                }
                await Task.yield()
                return turns.count
              }
              if turn >= count { return }
            }
          }
        }
      }
      return count
    }
  }

  /// Measures hand-offs between two tasks that yield, and then resume each other's continuations.
  static var continuationHandOffs: Contestant {
    contestant(TaskName.continuations) { count in
      let table = PingPong()
      await withTaskGroup { group in
        for _ in 0...1 {
          group.addTask {
            for _ in 0..<(count / 2) {
              await Task.yield()
              await table.takeTurn()
            }
            table.resumeTheOther()
          }
        }
      }
      return count
    }
  }

  // MARK: Cancellation

  /// The number of tasks that wait at the same time; the number of operations in a batch must be a multiple
  /// of it.
  private static let waitingTasks = 10_000

  /// Measures the cancellation of tasks that wait for mutexes; for each mutex, `waiting` tasks wait.
  ///
  /// An operation is a task, from its beginning to its end. The number of tasks is the same for any
  /// `waiting`, and all are in one group. The memory of a task, and the time in which the runtime finds an
  /// ended task in the group, therefore don't depend on `waiting`. Only the lists of tasks that wait for a
  /// mutex differ in length.
  static func cancellations(_ name: String, waiting: Int) -> Contestant {
    contestant(name) { count in
      var cancelled = 0
      for _ in 0..<(count / waitingTasks) {
        let mutexes = (0..<(waitingTasks / waiting)).map { _ in AsyncMutex(0) }
        cancelled += await holding(mutexes[...]) {
          let begun = BegunTasks()
          return await withTaskGroup(of: Bool.self) { group in
            for number in 0..<waitingTasks {
              let mutex = mutexes[number % mutexes.count]
              group.addTask {
                begun.addOne()
                return await mutex.withLockUnlessCancelled { $0 += 1 }
              }
            }
            while begun.count < waitingTasks { await Task.yield() }
            group.cancelAll()
            return await group.reduce(0) { $1 ? $0 : $0 + 1 }
          }
        }
      }
      return cancelled
    }
  }

  /// Runs `body` while this task holds all of the mutexes.
  private static func holding(
    _ mutexes: ArraySlice<AsyncMutex<Int>>, _ body: @Sendable () async -> Int
  ) async -> Int {
    guard let first = mutexes.first else { return await body() }
    return await first.withLock { _ in await holding(mutexes.dropFirst(), body) }
  }
}
