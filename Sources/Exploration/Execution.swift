#if Exploration
  internal import PlatformLocks

  /// One run of an exploration's body.
  public struct Execution: Sendable {
    // Sendable: only the thread that has the baton uses the scheduler.
    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    private var thread: ExecutionThread { scheduler.running! }

    /// Starts a thread that runs `body`.
    ///
    /// The execution ends when all its threads have ended, whether joined or not.
    ///
    /// - Parameter body: What the thread runs. An error that it throws fails the execution.
    /// - Returns: The thread, to be joined for what `body` returns.
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

    /// Fails the execution unless `condition` holds.
    ///
    /// The rest of the execution runs to its end, and is not part of the report.
    ///
    /// - Parameters:
    ///   - condition: What has to hold.
    ///   - message: What the report says otherwise.
    public func expect(
      _ condition: Bool, _ message: @autoclosure () -> String = "an expectation that does not hold"
    ) {
      if !condition { thread.fail(message()) }
    }

    /// Fails the execution if `object` still exists when all threads have ended and the body has returned.
    ///
    /// - Parameter object: What has to be freed by then.
    public func expectFreed<Object: AnyObject>(_ object: Object) {
      thread.atEnd { [weak object] in object.map { "\(type(of: $0)) was not freed" } }
    }
  }

  /// A thread of an execution.
  public struct ExploredTask<Value: Sendable>: Sendable {
    private let scheduler: Scheduler
    private let thread: ExecutionThread
    private let result: ResultBox<Value>

    init(_ scheduler: Scheduler, _ thread: ExecutionThread, _ result: ResultBox<Value>) {
      self.scheduler = scheduler
      self.thread = thread
      self.result = result
    }

    /// Waits until the thread has ended, and returns what its body returned.
    ///
    /// It does not return when the body threw: the execution has failed.
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

  // Sendable: written by the thread before it ends, and read after it was joined.
  final class ResultBox<Value: Sendable>: @unchecked Sendable {
    var value: Value?
  }

  /// A value that threads of an execution share without a lock: reads and writes that race fail the
  /// execution.
  ///
  /// Put it where a plain variable would be: behind a lock of yours, or in what a lock-free structure
  /// publishes.
  public final class ExploredCell<Value>: @unchecked Sendable {
    // Sendable: that two threads don't access it at the same time is what the exploration checks; only one of
    // them runs.
    private var storage: Value

    /// Makes a cell.
    ///
    /// - Parameter value: Its first value.
    public init(_ value: Value) { storage = value }

    deinit { note { $0.forgetWord(at: $1) } }

    /// The value.
    ///
    /// Outside of explorations, a race is not found.
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
      access(thread, unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    }
  }
#endif
