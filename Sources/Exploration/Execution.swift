#if Exploration
  internal import InterlockCore

  /// One run of the body that is passed to `explore`.
  ///
  /// The body uses this value to start threads and to state what must hold.
  public struct Execution: Sendable {
    // Threads can share the scheduler, because only one thread of the execution runs at a time.
    let scheduler: Scheduler

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    private var thread: ExecutionThread { scheduler.running! }

    /// Whether the strategy no longer follows the execution: everything that could come next was explored
    /// before, or belongs to another part of the exploration.
    var isRedundant: Bool { scheduler.isRedundant }

    /// Starts a thread that runs `body`.
    ///
    /// The execution ends when all its threads have ended, whether joined or not.
    ///
    /// - Parameter body: Runs on the thread. If it throws an error, the execution fails.
    /// - Returns: The thread. Join it to get the result of `body`.
    public func thread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> ExploredTask<Value>
    {
      let result = ResultBox<Value>()
      let thread = thread.start {
        do {
          result.value = try body()
        } catch {
          self.thread.fail("a thread threw \(error)")
        }
      }
      return ExploredTask(scheduler, thread, result)
    }

    /// Starts a task that runs `body`.
    ///
    /// The task is detached: it runs on no actor and inherits nothing. Its start, each entry to and exit from
    /// an actor, and each resumption are steps, between which other threads may run. The tasks that it
    /// creates are explored in the same way.
    ///
    /// The execution fails with a deadlock if the task is suspended and nothing is left that could resume it.
    ///
    /// - Parameters:
    ///   - mayBeCancelled: Whether an additional thread cancels the task, at a step that the strategy
    ///     chooses.
    ///   - body: Runs in the task. If it throws an error, the execution fails.
    /// - Returns: The task. Join it to get the result of `body`.
    public func task<Value: Sendable>(
      mayBeCancelled: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) -> ExploredTask<Value> {
      guard ExecutionThread.exploresTasks else {
        thread.trap("the runtime of Swift's tasks lacks the hooks that an exploration needs")
      }
      let result = ResultBox<Value>()
      let handle = Task.detached { [scheduler] in
        do {
          result.value = try await body()
        } catch {
          self.thread.fail("a task threw \(error)")
        }
        self.thread.inExplorer { scheduler.endTask(result.thread!) }
      }
      // `Task.detached` has just enqueued the task's first job, for which the scheduler has appended a thread
      // to `threads`.
      let thread = scheduler.threads.last!
      thread.mustEnd = true
      result.thread = thread
      if mayBeCancelled { _ = self.thread.start { handle.cancel() } }
      return ExploredTask(scheduler, thread, result, handle)
    }

    /// Fails the execution unless `condition` holds.
    ///
    /// After a failure, the execution still runs to its end. The report does not show its later steps.
    ///
    /// - Parameters:
    ///   - condition: The condition that must hold.
    ///   - message: The text that the report shows if the condition does not hold.
    public func expect(
      _ condition: Bool, _ message: @autoclosure () -> String = "an expectation that does not hold"
    ) {
      if !condition { thread.fail(message()) }
    }

    /// Fails the execution if `object` still exists when all threads have ended and the body has returned.
    ///
    /// - Parameter object: The object that must be freed by then.
    public func expectFreed<Object: AnyObject>(_ object: Object) {
      thread.atEnd { [weak object] in object.map { "\(type(of: $0)) was not freed" } }
    }
  }

  /// A thread or a task of an execution.
  public struct ExploredTask<Value: Sendable>: Sendable {
    private let scheduler: Scheduler
    private let thread: ExecutionThread
    private let result: ResultBox<Value>
    private let handle: Task<Void, Never>?

    init(
      _ scheduler: Scheduler, _ thread: ExecutionThread, _ result: ResultBox<Value>,
      _ handle: Task<Void, Never>? = nil
    ) {
      self.scheduler = scheduler
      self.thread = thread
      self.result = result
      self.handle = handle
    }

    /// Cancels the task; does nothing if it is a thread.
    public func cancel() { handle?.cancel() }

    /// The result of the body.
    ///
    /// Reading the result of a task suspends the caller until the body has ended. Reading the result of a
    /// thread blocks the calling thread instead.
    ///
    /// If the body has thrown, the read never returns, because the execution has failed.
    public var value: Value {
      get async {
        await handle?.value
        return join()
      }
    }

    /// Waits until the thread or the task has ended, and returns the result of its body.
    ///
    /// This function blocks the calling thread. In a task, use `value`.
    ///
    /// If the body has thrown, the call never returns, because the execution has failed.
    @discardableResult
    public func join() -> Value {
      let caller = scheduler.running!
      caller.join(thread)
      guard let value = result.value else {
        ExploredThreads.setCurrent(nil)
        scheduler.abandon(caller)
      }
      return value
    }
  }

  // `@unchecked Sendable` is sound: the explored thread writes the value before it ends, and other threads
  // read it only after they have joined that thread. `thread` is written before the task runs.
  final class ResultBox<Value: Sendable>: @unchecked Sendable {
    var value: Value?
    var thread: ExecutionThread?
  }

  /// A variable that threads of an execution share: a data race on it fails the execution.
  ///
  /// The cell itself does not synchronize. Use it for data that a lock of your own protects, or that a
  /// lock-free structure publishes.
  public final class ExploredCell<Value>: @unchecked Sendable {
    // `ExploredCell` is `@unchecked Sendable`, which is sound in an exploration: one thread runs at a time,
    // and accesses that could overlap in a real run are reported. Elsewhere, the users of the cell must
    // synchronize.
    private var storage: Value

    /// Makes a cell.
    ///
    /// - Parameter value: The initial value.
    public init(_ value: Value) { storage = value }

    deinit { note { $0.forgetWord(at: $1) } }

    /// The current value.
    ///
    /// In an exploration, an access that races with another thread's access fails the execution. Outside of
    /// explorations, races on the cell are not detected.
    public var value: Value {
      get {
        note { $0.access(at: $1, writes: false) }
        return storage
      }
      set {
        note { $0.access(at: $1, writes: true) }
        storage = newValue
      }
    }

    private func note(_ access: (any ExploredThread, UInt) -> Void) {
      guard let thread = ExploredThreads.current else { return }
      let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
      thread.noteOfProgram(at: address)
      access(thread, address)
    }
  }
#endif
