internal import InterlockCore

/// New threads that are joined when this value is destroyed.
///
/// ```swift
/// let threads = JoinedThreads(8) { index in serve(index) }   // eight bodies run from now on
/// answer()
/// threads.join()                                             // waits until all bodies have returned
/// ```
///
/// The threads belong to no pool, so their bodies may block, sleep and run for long. To start threads and
/// wait for their results in one step, use `withThreads(_:_:)`.
///
/// - **Stopping**: nothing stops a body. Tell it to return before you join, for example by a value in a
///   `Protector` that the body waits for.
/// - **Blocking**: `join()` blocks until all bodies have returned, and so does the destruction of the
///   value.
/// - **Signals, task-local values**: as for jobs of `withJobs`, but a thread has the mask of the thread that starts it, or the
///   main thread's at that time.
/// - **Deadlocks it permits**: threads that join each other; a body that waits for the joining thread, or for
///   a lock that this thread holds.
/// - **Misuse that traps**: a negative count; a thread that joins itself; more threads than the system grants.
public struct JoinedThreads: ~Copyable, Sendable {
  private let threads: [Box]

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - count: The number of threads; a negative number traps.
  ///   - body: Called once on each thread, with the thread's index: 0, 1, 2, … below `count`. The threads hold
  ///     it until they end.
  /// - Complexity: A thread of the system, with its stack, for each index.
  public init(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    if count < 0 { misuse("JoinedThreads", "started with \(count) threads", "pass 0 or more") }
    self.init(count, for: "JoinedThreads", body)
  }

  /// - Parameter owner: The name in traps.
  init(_ count: Int, for owner: StaticString, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    threads = (0..<count).map { index in Box(for: owner) { body(index) } }
  }

  /// Waits until all bodies have returned.
  ///
  /// Afterwards the threads have ended, and the caller sees everything that their bodies did.
  ///
  /// - **Wait**: it ends with the last body; cancellation has no effect; no timeout; one caller alone; no priority is lent; it
  ///   throws nothing.
  public consuming func join() {}

  /// Detaches the threads: they run until their bodies return, and no thread waits for them.
  ///
  /// Use it for a value that may be destroyed on one of its own threads, because a thread can't join
  /// itself.
  public consuming func detach() {
    for thread in threads { thread.detach() }
  }

  /// An object that holds a noncopyable thread, so that an array can contain it; its destruction joins the
  /// thread.
  ///
  /// `@unchecked Sendable` is sound: the variables change only in `detach()`, which the only owner calls once.
  private final class Box: @unchecked Sendable {
    private var thread: PlatformThread?
    /// The number of a thread in an exploration.
    private var number: Int?

    init(for owner: StaticString, _ body: @escaping @Sendable () -> Void) {
      if let explored = ExploredThreads.current {
        number = explored.startThread(body)
      } else {
        thread = PlatformThread(for: owner, body)
      }
    }

    func detach() {
      thread.take()?.detach()
      number = nil
    }

    deinit {
      if let number { ExploredThreads.current?.joinThread(number) }
    }
  }
}
