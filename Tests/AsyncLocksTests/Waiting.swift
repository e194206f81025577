import LockSupport
import TestSupport

@testable import AsyncLocks
@testable import TaskWaiters

extension AsyncMutex where Value: ~Copyable {
  /// Suspends the calling task until `count` tasks wait for the lock.
  func untilTasksWait(_ count: Int) async {
    while core.waiters.count != count { await Task.yield() }
  }

  /// Whether no task holds the lock, and none waits.
  var isAtRest: Bool { core.word.load(.acquiring) == 0 && core.waiters.count == 0 }
}

extension AsyncSemaphore {
  /// Suspends the calling task until `count` tasks wait for a permit.
  func untilTasksWait(_ count: Int) async {
    while core.waiters.count != count { await Task.yield() }
  }

  /// The number of free permits; 0 while tasks wait.
  var freePermits: Int {
    let state = core.word.load(.acquiring)
    return state == AsyncSemaphoreCore.waiting ? 0 : Int(state)
  }
}

struct Refused: Error, Equatable {
  var number = 0
}
