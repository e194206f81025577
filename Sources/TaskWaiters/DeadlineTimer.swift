package import LockSupport
internal import ThreadSupport
internal import UnfairLocks

/// The timer for the deadlines of all waiting tasks of the process.
///
/// # Why
/// An additional task that sleeps during each timed wait would cost an allocation, two context switches and
/// a cancellation. This timer needs one heap and one thread. A thread is better than a dispatch timer
/// because it sleeps in `LockWord.wait`: this wait has the clock of `Deadline`, ThreadSanitizer sees it,
/// and the explorer can replace it.
///
/// # State
/// `lock` guards the heap and `sleepsUntil`, the deadline until which the thread sleeps or is about to.
/// `changes` is the word on which it sleeps. The thread is started by the first deadline, and never ends.
///
/// # Invariants
/// 1. `sleepsUntil` is not later than the first deadline in the heap, except while the thread is awake or the
///    word has changed since the thread has set it. So the thread is awake when a deadline passes, or soon.
/// 2. An entry leaves the heap once: when its wait ends, or when the thread expires it. The entries'
///    functions run, and entries are destroyed, outside the lock.
///
/// Removing an entry does not wake the thread. So the thread may wake up and find no deadline that has
/// passed, at most once for each earlier deadline that it was given.
///
/// # Memory ordering
/// The lock orders everything except the sleep. `changes` changes only under the lock, and the thread reads
/// it under the lock before it sleeps, so a change after this read ends the sleep.
///
/// # Limits
/// A child made by `fork` has no such thread, so no deadline ends a task's wait there. Timers of
/// libdispatch have the same limit.
package final class DeadlineTimer: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards the variables.

  /// A deadline, and the function to run when it passes.
  package final class Entry: @unchecked Sendable {
    // `@unchecked Sendable` is sound: the timer's lock guards `index`, and the other properties never change.
    // `deadline` is in nanoseconds, on the clock of `Deadline`.
    let deadline: UInt64
    /// Runs on the timer's thread, under no lock.
    ///
    /// It must not block: other deadlines wait for its end.
    let expire: @Sendable () -> Void
    /// The index of this entry in the heap; `nil` while the entry is not in the heap.
    var index: Int?

    package init(_ deadline: Deadline, _ expire: @escaping @Sendable () -> Void) {
      self.deadline = deadline.nanoseconds
      self.expire = expire
    }
  }

  package static let shared = DeadlineTimer(startsThread: true)

  private let lock = UnfairLock()
  private var heap = DeadlineHeap()
  private var sleepsUntil = UInt64.max
  private var needsThread: Bool
  private let changes = LockWord()

  /// Makes a timer.
  ///
  /// - Parameter startsThread: Whether the first deadline starts the thread. Tests call `step` instead.
  package init(startsThread: Bool) {
    needsThread = startsThread
  }

  /// Adds an entry, whose function then runs once its deadline has passed.
  ///
  /// The entry must not be in a heap yet.
  package func schedule(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared {
      return thread.schedule(entry, at: Deadline(nanoseconds: entry.deadline), entry.expire)
    }
    var startsThread = false
    var wakes = false
    lock.withLock {
      heap.insert(entry)
      startsThread = needsThread
      needsThread = false
      if entry.deadline < sleepsUntil {
        sleepsUntil = entry.deadline
        wakes = true
        changes.addReleasing(1)
      }
    }
    if startsThread { PlatformThread { while true { self.step() } }.detach() }
    if wakes { changes.wake(count: 1) }
  }

  /// Removes an entry, unless the timer has already taken it out to run its function.
  package func cancel(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared { return thread.cancel(entry) }
    _ = lock.withLock { heap.remove(entry) }
  }

  /// Expires the first entry if its deadline has passed; otherwise sleeps until that deadline.
  ///
  /// The sleep also ends when an earlier deadline is added. Without entries, it lasts until one is added.
  ///
  /// - Returns: Whether an entry has expired.
  @discardableResult
  package func step() -> Bool {
    var due: Entry?
    var change: UInt32 = 0
    var deadline = Deadline.never
    lock.withLock {
      if let first = heap.first {
        deadline = Deadline(nanoseconds: first.deadline)
        if deadline.hasPassed {
          due = first
          _ = heap.remove(first)
          return
        }
      }
      sleepsUntil = deadline.nanoseconds
      change = changes.loadRelaxed()
    }
    guard let due else {
      changes.wait(while: change, until: deadline)
      return false
    }
    due.expire()
    return true
  }
}
