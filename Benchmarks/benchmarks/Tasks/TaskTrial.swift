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

  /// Keeps the optimiser from running the whole loop in the actor.
  @inline(never)
  private static func outsideOfTheActor(_ first: Int, _ second: Int) -> Int { first &+ second }

  /// Makes a contestant whose tasks share `permits` permits; an operation is a section.
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

  /// Two tasks lock a mutex in turn.
  ///
  /// A section yields, so that the other task comes to wait. It counts only if the section before it was that of
  /// the other task.
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

  /// Two tasks yield and resume each other's continuations.
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

  /// Cancels so many tasks that wait for one mutex; an operation is one of them, from its beginning to its end.
  static func cancellations(_ name: String, waiting: Int) -> Contestant {
    contestant(name) { count in
      var cancelled = 0
      for _ in 0..<(count / waiting) {
        let mutex = AsyncMutex(0)
        cancelled += await mutex.withLock { _ in
          await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<waiting { group.addTask { await mutex.withLockUnlessCancelled { $0 += 1 } } }
            group.cancelAll()
            return await group.reduce(0) { $1 ? $0 : $0 + 1 }
          }
        }
      }
      return cancelled
    }
  }
}
