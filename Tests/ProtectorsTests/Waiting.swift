import LockSupport
import ReadWriteLocks

@testable import Protectors

/// Waits until at least `count` tasks are in the queue of `protector`.
///
/// Waiting threads with a timeout count as tasks.
func tasks<Value: ~Copyable, Lock: ~Copyable>(
  _ count: Int, waitIn protector: LockProtector<Value, Lock>
) async {
  while protector.waiters.cancellableCount.loadRelaxed() < UInt32(count) { await Task.yield() }
}

extension LockProtector where Value: ~Copyable, Lock: ~Copyable {
  /// The number of waiters in the queue; must be read outside sections, because it acquires the write lock.
  var count: Int { unsafe count { _ in true } }

  /// The number of waiters in the queue that were notified, but whose tasks have not run since.
  var servedCount: Int { unsafe count { unsafe $0.pointee.isServed } }

  private func count(where isCounted: (UnsafeMutablePointer<Waiter>) -> Bool) -> Int {
    lock.withWriteLock {
      var count = 0
      var next = unsafe waiters.first.load(.relaxed)
      while let waiter = unsafe next {
        if unsafe isCounted(waiter) { count += 1 }
        unsafe next = waiter.pointee.next
      }
      return count
    }
  }
}
