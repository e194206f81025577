@testable import InterlockCore
@testable import InterlockTasks
@testable import InterlockWaits
import TestSupport

@testable import AsyncLocks

extension AsyncMutex where Value: ~Copyable {
  /// Suspends the calling task until `count` tasks wait for the lock.
  func untilTasksWait(_ count: Int) async {
    while core.waiters.count != count { await Task.yield() }
  }

  /// Whether no task holds the lock, and none waits.
  var isAtRest: Bool { core.word.load(.acquiring) == 1 && core.waiters.count == 0 }
}

extension AsyncSemaphore {
  /// The number of tasks that wait for permits.
  var waitingCount: Int { core.waiters.count }

  /// Suspends the calling task until `count` tasks wait for a permit.
  func untilTasksWait(_ count: Int) async {
    while waitingCount != count { await Task.yield() }
  }
}

struct Refused: Error, Equatable {
  var number = 0
}

extension TaskWaiterQueue {
  /// Suspends the calling task until the task of the first waiter is suspended, which has an escalation handler then.
  func untilTheFirstTaskIsSuspended() async {
    while withList({ list in list.first?.takeUnretainedValue().word.load(.acquiring) ?? 0 }) < 2 {
      await Task.yield()
    }
  }
}
