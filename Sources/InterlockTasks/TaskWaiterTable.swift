internal import InterlockWaits

/// The waiting tasks of primitives that have no room for a `TaskWaiterQueue`, by the primitives' keys.
///
/// # Why
/// Tasks wait for such a primitive once in its life, if ever, so it should not hold memory for that.
///
/// A queue is in the table while a task uses it: from `join` to `leave`. The task borrows the primitive
/// meanwhile, so no other primitive has the key. A thread that ends the waits looks the queue up, but only
/// if the primitive's own word says that tasks may wait.
///
/// - Complexity: O(1) for each function.
package enum TaskWaiterTable {
  private struct Entry {
    let queue = TaskWaiterQueue()
    var users = 0
    var owner: UInt64 = 0
  }

  private static let lock = CoreLock()

  // Sound: accessed only while `lock` is held. The dynamic exclusivity check would repeat what the lock
  // ensures.
  @exclusivity(unchecked)
  private nonisolated(unsafe) static var entries: [UInt: Entry] = [:]

  /// Whether no task uses a queue of the table, for tests.
  package static var isEmpty: Bool { lock.withLock { unsafe entries.isEmpty } }

  /// Registers the calling task as a user of the queue of the primitive with this key; returns that queue.
  ///
  /// The task must call `leave` afterwards.
  package static func join(_ key: UInt) -> TaskWaiterQueue {
    lock.withLock {
      unsafe entries[key, default: Entry()].users += 1
      return unsafe entries[key]!.queue
    }
  }

  /// Ends the calling task's use of the queue, which `join` began; the last user removes the queue.
  package static func leave(_ key: UInt) {
    // The queue of a removed entry is released after the unlock.
    let removed: Entry? = lock.withLock {
      unsafe entries[key]!.users -= 1
      return unsafe entries[key]!.users == 0 ? entries.removeValue(forKey: key) : nil
    }
    withExtendedLifetime(removed) {}
  }

  /// The queue of the primitive with this key; `nil` if no task uses it.
  package static func queue(of key: UInt) -> TaskWaiterQueue? {
    lock.withLock { unsafe entries[key]?.queue }
  }

  /// Records the `TaskIdentity` of the task that holds the primitive; 0 if no task does.
  ///
  /// Traps if no task uses the queue: if each task that called `join` has called `leave`.
  package static func setOwner(_ task: UInt64, of key: UInt) {
    lock.withLock { unsafe entries[key]!.owner = task }
  }

  /// Whether the calling task holds the primitive.
  ///
  /// The answer stays valid until the calling task itself acquires or releases the primitive.
  package static func isOwnedByCallingTask(_ key: UInt) -> Bool {
    let task = TaskIdentity.current
    return task != 0 && lock.withLock { unsafe entries[key]?.owner == task }
  }
}
