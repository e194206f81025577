import InterlockCore
import InterlockWaits
import ReadWriteLocks

@testable import Protectors

/// Waits until at least `count` tasks are in the queue of `protector`.
///
/// Waiting threads with a timeout count as tasks.
func tasks<Value: ~Copyable, Lock: ~Copyable>(
  _ count: Int, waitIn protector: GuardedValue<Value, Lock>
) async {
  while protector.waiters.cancellableCount < UInt32(count) { await Task.yield() }
}

extension GuardedValue where Value: ~Copyable, Lock: RawLock & ~Copyable {
  /// The number of waiters in the queue; must be read outside sections, because it acquires the write lock.
  var count: Int {
    inWriteSection { unsafe waiters.waiting?.lists.count ?? 0 }
  }

  /// Runs `body` while the write lock is held, but serves nobody at the end.
  func inWriteSection<R>(_ body: () -> sending R) -> R {
    ownLock.beginAccess(for: Lock.kindInProtector)
    return ownLock.finishAccess(for: Lock.kindInProtector, body)
  }
}

extension WaitQueue {
  /// The number of waiters that can give up.
  var cancellableCount: UInt32 { waiting?.cancellableCount.loadRelaxed() ?? 0 }

  /// Whether no waiter is queued, and no task is served.
  var isAtRest: Bool { state.load(.relaxed) & 3 == 0 && cancellableCount == 0 }
}

extension WaitLists {
  fileprivate var count: Int { self[.reader].count + self[.thread].count + self[.task].count }
}

extension Waiters {
  fileprivate var count: Int {
    var count = 0
    var next = unsafe first
    while let waiter = unsafe next {
      count += unsafe 1 + waiter.pointee.followers.count
      unsafe next = waiter.pointee.next
    }
    return count
  }
}
