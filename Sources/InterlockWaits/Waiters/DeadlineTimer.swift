package import InterlockCore
package import InterlockServices

/// The timer for the deadlines of all waiting tasks of the process.
///
/// # Why
/// An additional task that sleeps during each timed wait would cost an allocation, two context switches and
/// a cancellation. This timer needs one heap and a `ServiceThread`. A thread is better than a dispatch timer because it
/// sleeps in `LockWord.wait`: this wait has the clock of `Deadline`, ThreadSanitizer sees it, and the explorer can
/// replace it.
///
/// # State
/// `lock` guards all of it.
/// - `heap`: the deadlines.
/// - `sleepsUntil`: the first deadline that the service knows.
///
/// # Invariants
/// 1. `sleepsUntil` is not later than the first deadline in the heap, except between the insertion of an earlier one
///    and the request to the service. So the service is awake when a deadline passes, or soon.
/// 2. An entry leaves the heap once: when its wait ends, or when the service expires it. The entries'
///    functions run, and entries are destroyed, outside the lock.
///
/// An entry's function resumes a task. That task continues on the service's stack if its executor runs jobs where
/// they are enqueued, and may block there. So the function is a call of the service, which another thread takes over.
///
/// Removing an entry does not wake the service. So it may wake up and find no deadline that has passed, at most
/// once for each earlier deadline that it was given.
///
/// # Limits
/// If another thread held `lock` at a `fork`, the child waits for it forever. The threads of the pool, on which tasks run,
/// do not exist there either.
package final class DeadlineTimer: @unchecked Sendable {
  // `@unchecked Sendable` is sound: `lock` guards the variables.

  /// A deadline, and the function to run when it passes.
  package final class Entry: @unchecked Sendable {
    // `@unchecked Sendable` is sound: the timer's lock guards `index`, and the other properties never change.
    // `deadline` is in nanoseconds, on the clock of `Deadline`.
    let deadline: UInt64
    /// Runs on a thread of the timer, under no lock.
    let expire: @Sendable () -> Void
    /// The index of this entry in the heap; `nil` while the entry is not in the heap.
    var index: Int?

    package init(_ deadline: Deadline, _ expire: @escaping @Sendable () -> Void) {
      self.deadline = deadline.nanoseconds
      self.expire = expire
    }
  }

  package static let shared = DeadlineTimer(ServiceThread())

  private let lock = CoreLock()
  private var heap = DeadlineHeap()
  private var sleepsUntil = UInt64.max
  private let service: ServiceThread

  package init(_ service: ServiceThread) { self.service = service }

  /// Adds an entry, whose function then runs once its deadline has passed.
  ///
  /// The entry must not be in a heap yet.
  package func schedule(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared {
      return thread.schedule(entry, at: Deadline(nanoseconds: entry.deadline), entry.expire)
    }
    let isFirst = lock.withLock {
      heap.insert(entry)
      let isFirst = entry.deadline < sleepsUntil
      if isFirst { sleepsUntil = entry.deadline }
      return isFirst
    }
    if isFirst { service.request { self.next() } }
  }

  /// Removes an entry, unless the timer has already taken it out to run its function.
  package func cancel(_ entry: Entry) {
    if let thread = ExploredThreads.current, self === Self.shared { return thread.cancel(entry) }
    _ = lock.withLock { heap.remove(entry) }
  }

  /// Takes out the first entry, to run its function, if its deadline has passed.
  func next() -> ServiceThread.Next {
    var due: Entry?
    var first: UInt64?
    lock.withLock {
      if let entry = heap.first, Deadline(nanoseconds: entry.deadline).hasPassed {
        due = entry
        _ = heap.remove(entry)
      }
      first = heap.first?.deadline
      sleepsUntil = first ?? .max
    }
    if let due { return .call(due.expire, othersWait: first != nil) }
    guard let first else { return .rest }
    return .sleep(until: Deadline(nanoseconds: first))
  }
}
