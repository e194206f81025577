#if DeadlockDetection
  internal import CInterlock

  // The connection between primitives and the deadlock detector, compiled only with the trait
  // `DeadlockDetection`. Each primitive on which threads can wait contains a `Probe`, and calls it at each
  // acquisition and release.

  /// The functions of the deadlock detector that primitives call, through `Probe`.
  ///
  /// The functions of `Probe` say when each of them is called.
  package protocol ProbeHooks: Sendable {
    /// Returns a number that no other probe has.
    func number(of primitive: Primitive) -> UInt64
    /// Called at the end of the primitive with that number.
    func forget(_ number: UInt64, flags: UInt32)

    func willAcquire(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt)
    func didAcquire()
    func didAcquireUnannounced(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt)
    func willRelease(_ probe: borrowing Probe)
    func didPass(_ probe: borrowing Probe, _ mode: LockMode)
    func willSatisfy(_ probe: borrowing Probe, afterWaiting waitedItself: Bool, of lock: Probe?)

    var heldCount: Int { get }
    func acquiresSeveral(after count: Int?)
    func checkNoLockHeld(before call: StaticString)

    /// Records that the calling thread is asleep in its wait.
    ///
    /// - Returns: Its `ThreadIdentity`, to pass to `didWake`; 0 if the thread has announced no wait.
    func willSleep() -> UInt32
    func didWake(_ thread: UInt32)

    /// Returns the detector's record of the work item.
    func willSubmit(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt) -> AnyObject?
    /// Makes `item` the one that the calling thread runs, and returns the one that it ran before.
    func run(_ item: AnyObject?, onSubmitter: Bool) -> AnyObject?

    func admitsSeveralTasks(_ probe: borrowing Probe)
    func taskWillAcquire(_ probe: borrowing Probe)
    func taskDidAcquire(_ probe: borrowing Probe)
    func taskWillRelease(_ probe: borrowing Probe)
    func taskWillSleep(_ probe: borrowing Probe)
    func taskDidWake()
  }

  // Sound: `interlock_probe_hooks` returns the address of an `any ProbeHooks` that exists as long as the process.
  private let hooks = unsafe interlock_probe_hooks()!.assumingMemoryBound(to: (any ProbeHooks).self).pointee

  /// Connects a primitive to the deadlock detector.
  ///
  /// Each call whose name begins with `will` comes before the act, and each with `did` after it. The primitive
  /// must call `willAcquire` before an acquisition that may wait forever, and then `didAcquire`, or
  /// `didStopWaiting` if it was not acquired. After an acquisition that does not wait or has a timeout, it must
  /// call `didAcquireUnannounced` instead. It must call `willRelease` before each release, on the thread that
  /// acquired the lock.
  public struct Probe: Sendable {
    /// What the detector knows of the primitive.
    ///
    /// An object, so that the probe of a held lock has a fixed address, and ends with its lock.
    @usableFromInline
    package final class Contents: Sendable {
      package let flags = PlainLockWord()
      package let primitive: Primitive
      package let number: UInt64

      init(_ primitive: Primitive) {
        self.primitive = primitive
        number = hooks.number(of: primitive)
      }

      deinit { hooks.forget(number, flags: flags.loadRelaxed()) }
    }

    package let contents: Contents
    private let explored: ExploredLock

    /// Makes the connection of `primitive` to the tools.
    public init(_ primitive: Primitive) {
      contents = Contents(primitive)
      explored = ExploredLock(primitive)
    }

    /// Tells the explorer of the event if it runs the calling thread.
    ///
    /// The explorer finds the deadlocks of its threads itself, and the detector ignores these threads.
    private borrowing func note(_ event: ExploredLock.Event) {
      ExploredThreads.current?.note(event, explored)
    }

    /// Whether the detector is part of the build.
    @usableFromInline
    package static var isOn: Bool { true }

    /// The primitive's identity, with its label and source line; builds without the trait know only `kind`.
    @usableFromInline
    package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { contents.primitive }

    // MARK: What primitives call

    /// Reports a deadlock that the acquisition makes possible, and records that the calling thread is about
    /// to acquire the lock.
    ///
    /// Must be called before an acquisition that may wait forever.
    // Never inlined: the detector gets the frame of the caller, which is the primitive's function.
    @usableFromInline
    @inline(never)
    package borrowing func willAcquire(_ mode: LockMode = .write) {
      note(.willAcquire(mode))
      hooks.willAcquire(self, mode, frame: interlock_caller_frame_address())
    }

    /// Records that the calling thread has acquired the lock.
    ///
    /// Must be called after the acquisition that `willAcquire` announced.
    @usableFromInline
    package borrowing func didAcquire() {
      note(.didAcquire(nil))
      hooks.didAcquire()
    }

    /// Records that the calling thread has acquired the lock, without adding an edge to the graph.
    ///
    /// Must be called after an acquisition that `willAcquire` did not announce, because it did not wait or has a
    /// timeout. Such an acquisition ends whatever other threads do, so it can't deadlock. Edges are added only
    /// for an acquisition of several locks together (see `acquiresSeveral(after:)`).
    @usableFromInline
    @inline(never)
    package borrowing func didAcquireUnannounced(_ mode: LockMode = .write) {
      note(.didAcquire(mode))
      hooks.didAcquireUnannounced(self, mode, frame: interlock_caller_frame_address())
    }

    /// Records that the calling thread begins to acquire several locks together, or has acquired them.
    ///
    /// Must be called before and after the acquisitions. The thread waits for one of these locks only while
    /// it holds none of the others. The graph therefore gets edges to each lock from the locks that the
    /// thread held before, but none between the new locks.
    ///
    /// - Parameter count: The `heldCount` before the first of the locks was acquired; `nil` after the
    ///   acquisitions.
    @usableFromInline
    package static func acquiresSeveral(after count: Int?) { hooks.acquiresSeveral(after: count) }

    /// The number of locks that the calling thread holds.
    @usableFromInline
    package static var heldCount: Int { hooks.heldCount }

    /// Records that the calling thread is about to release the lock.
    @usableFromInline
    package borrowing func willRelease() {
      note(.releases)
      hooks.willRelease(self)
    }

    /// Records that the calling thread no longer waits for the primitive, and has not acquired it.
    ///
    /// Must be called after a wait that `willAcquire` or `willSubmit` announced.
    @usableFromInline
    package borrowing func didStopWaiting() { willRelease() }

    /// Reports a deadlock that an acquisition would make possible, without recording the lock as held.
    ///
    /// Must be called when the calling thread uses the primitive without a wait, but might have to wait in
    /// another run. An example is the use of a lazy value that is already initialized.
    @usableFromInline
    package borrowing func didPass(_ mode: LockMode = .write) { hooks.didPass(self, mode) }

    /// Records that the calling thread's write section can make a predicate of the protector true.
    ///
    /// Threads that wait for the predicate depend on the other locks that the calling thread holds, so the
    /// graph gets edges to those locks. Must be called in the section, on the probe of the predicates.
    ///
    /// - Parameters:
    ///   - waitedItself: Whether the section itself may have waited for a predicate. The graph then gets no
    ///     edges: the detector assumes that such a section consumes a value and does not provide one.
    ///   - lock: The protector's own lock; `nil` if it is the one that the thread has acquired last.
    @usableFromInline
    package borrowing func willSatisfy(afterWaiting waitedItself: Bool = false, of lock: Probe? = nil) {
      hooks.willSatisfy(self, afterWaiting: waitedItself, of: lock)
    }

    // MARK: Work items of dispatch queues

    /// Reports a deadlock that a wait for the probe's dispatch queue makes possible, and records the wait.
    ///
    /// Must be called before the calling thread submits a work item to the queue and waits for its end. After
    /// the wait, the thread must call `didStopWaiting`. The work item must pass the result of this function to
    /// `didBegin` at its beginning, and to `willEnd` at its end.
    @inline(never)
    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait {
      QueueWait(hooks.willSubmit(self, mode, frame: interlock_caller_frame_address()))
    }

    /// Records that the calling thread runs the work item and holds the lock.
    ///
    /// Must be called at the beginning of the work item, on the thread that runs it.
    ///
    /// - Returns: The enclosing work item, inside which the thread runs this one; pass it to `willEnd`.
    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer {
      wait.end()
      if wait.isOfCallingThread { didAcquire() } else { didAcquireUnannounced(mode) }
      return QueueWait.Outer(item: hooks.run(wait.item, onSubmitter: wait.isOfCallingThread))
    }

    /// Records that the calling thread no longer runs the work item.
    ///
    /// Must be called at the end of the work item, on the thread that runs it.
    package borrowing func willEnd(_ wait: QueueWait, in outer: QueueWait.Outer) {
      _ = hooks.run(outer.item, onSubmitter: true)
      if !wait.isOfCallingThread { willRelease() }
    }

    // MARK: Locks of tasks

    /// Records that several tasks may hold the lock at the same time.
    ///
    /// Must be called before the first acquisition.
    @usableFromInline
    package borrowing func admitsSeveralTasks() { hooks.admitsSeveralTasks(self) }

    /// Reports a deadlock that becomes possible when the calling task acquires the lock, or waits for the
    /// predicate.
    ///
    /// Must be called before each such acquisition and wait that has no timeout.
    @usableFromInline
    package borrowing func taskWillAcquire() {
      note(.willAcquire(.write))
      hooks.taskWillAcquire(self)
    }

    /// Records that the calling task holds the lock.
    ///
    /// Must be called after each acquisition, with or without a wait.
    @usableFromInline
    package borrowing func taskDidAcquire() {
      note(.didAcquire(.write))
      hooks.taskDidAcquire(self)
    }

    /// Records that the calling task no longer holds the lock.
    ///
    /// Must be called before the task releases the lock, so that each recorded lock is really held.
    @usableFromInline
    package borrowing func taskWillRelease() {
      note(.releases)
      hooks.taskWillRelease(self)
    }

    /// Records that the calling task waits for the lock, and reports a deadlock if the wait completes one.
    ///
    /// Must be called before a wait that neither a timeout nor cancellation can end.
    package borrowing func taskWillSleep() { hooks.taskWillSleep(self) }

    /// Records that the calling task no longer waits for a lock.
    ///
    /// Must be called after the wait that `taskWillSleep` announced.
    package borrowing func taskDidWake() { hooks.taskDidWake() }

    /// Runs `body` while no other thread runs this function, and no thread makes a primitive; `body` must not acquire
    /// a lock.
    package static func exclusively<R>(_ body: () -> R) -> R {
      interlock_detector_lock()
      defer { interlock_detector_unlock() }
      return body()
    }
  }

  /// A thread's wait for a work item that it has submitted to a dispatch queue.
  ///
  /// The queue usually runs the item on the waiting thread itself, but may run it on another thread.
  package struct QueueWait {
    /// The work item that a thread was running when another item began on that thread; empty if there was
    /// none.
    package struct Outer {
      fileprivate let item: AnyObject?
    }

    private let thread = ThreadIdentity.current
    private let sleeper = hooks.willSleep()
    fileprivate let item: AnyObject?

    package init() { item = nil }

    fileprivate init(_ item: AnyObject?) { self.item = item }

    fileprivate var isOfCallingThread: Bool { ThreadIdentity.current == thread }

    package func end() {
      if sleeper != 0 { hooks.didWake(sleeper) }
    }
  }

  /// Holds a `Probe` in an object of its own.
  ///
  /// Dispatch queues and the names passed to `DeadlockDetector.holding` use this class, because they have no
  /// stored property for a probe.
  @usableFromInline
  package final class SharedProbe: Sendable {
    @usableFromInline
    package let probe: Probe

    @usableFromInline
    package init(_ primitive: Primitive) {
      probe = Probe(primitive)
    }
  }

  /// Runs `body`, and records the calling thread as asleep meanwhile.
  ///
  /// In `body`, the thread must wait for the lock that `Probe.willAcquire` announced.
  @usableFromInline
  @inline(never)
  package func whileAsleep<R>(_ body: () -> R) -> R {
    let sleeper = hooks.willSleep()
    defer { if sleeper != 0 { hooks.didWake(sleeper) } }
    return body()
  }

  /// Reports the locks that the calling thread holds; does nothing if it holds none.
  ///
  /// A primitive must call this function before it runs code that may need any lock.
  ///
  /// - Parameter call: The report's description of the code that is about to run.
  @usableFromInline
  package func checkNoLockHeld(before call: StaticString) { hooks.checkNoLockHeld(before: call) }
#endif
