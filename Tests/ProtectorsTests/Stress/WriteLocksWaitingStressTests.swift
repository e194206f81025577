import InterlockCore
import Protectors
import TestSupport
import Testing

/// Tests threads and tasks that wait for predicates over several values; a lost wake-up hangs them.
@Suite struct WriteLocksWaitingStressTests {
  private struct Buffer: Sendable {
    var count = 0
    let capacity = 2
    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == capacity }
  }

  /// Threads and tasks transfer tokens around a cycle of bounded buffers, and each sometimes gives up.
  @Test(.timeLimit(.minutes(10))) func transfersAroundACycleOfBuffersEnd() async throws {
    let buffers = (0..<3).map { _ in Protector(Buffer()) }
    buffers[0].withWriteLock { $0.count = 2 }
    buffers[1].withWriteLock { $0.count = 1 }
    let rounds = StressSize.pick(quick: 1_000, full: 100_000)
    let moved = RelaxedCounter()
    try await withThrowingTaskGroup { group in
      for step in 0..<3 {
        let (source, target) = (buffers[step], buffers[(step + 1) % 3])
        group.addTask {
          await onAThread {
            for round in 0..<rounds {
              let timeout: Duration? = round % 7 == 0 ? .microseconds(round % 50) : nil
              while timesOut({
                try withWriteLocks(
                  source, target, waitingUntil: { !$0.isEmpty && !$1.isFull }, timeout: timeout
                ) {
                  $0.count -= 1
                  $1.count += 1
                }
              }) {}
            }
            moved.add(rounds)
          }
        }
        group.addTask {
          for _ in 0..<rounds {
            try await withWriteLocks(source, target, waitingUntil: { !$0.isEmpty && !$1.isFull }) {
              $0.count -= 1
              $1.count += 1
            }
          }
          moved.add(rounds)
        }
      }
      try await group.waitForAll()
    }
    #expect(moved.value == 6 * rounds)
    #expect(buffers.reduce(0) { $0 + $1.withReadLock { $0.count } } == 3)
  }

  /// Each of many tasks waits for a worker and a job, while others are cancelled.
  ///
  /// A write wakes all of them, so there are not as many as in other tests.
  @Test(.timeLimit(.minutes(10))) func hundredsOfTasksGetAJobAndAWorker() async {
    let idle = Protector(0)
    let jobs = Protector(0)
    let count = StressSize.pick(quick: 300, full: 1_000)
    let tasks = (0..<count).map { _ in
      Task {
        try await withWriteLocks(idle, jobs, waitingUntil: { $0 > 0 && $1 > 0 }) {
          $0 -= 1
          $1 -= 1
        }
      }
    }
    for index in stride(from: 0, to: count, by: 3) { tasks[index].cancel() }
    race(threads: 2) { thread in
      for _ in 0..<count { (thread == 0 ? idle : jobs).withWriteLock { $0 += 1 } }
    }
    var served = 0
    for task in tasks where await unlessCancelled({ try await task.value }) != nil { served += 1 }
    #expect(served >= count - (count + 2) / 3)
    #expect(idle.value == count - served && jobs.value == count - served)
  }
}
