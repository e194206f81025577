#if DeadlockDetection
  internal import CInterlock

  // The connection between primitives and the deadlock detector, compiled only with the trait
  // `DeadlockDetection`. Each primitive on which threads can wait contains a `Probe`, and calls it at each
  // acquisition and release.

  /// Identifies a lock as long as the process runs, even after the lock is deallocated, or a class of locks.
  ///
  /// The upper bits are the index of the lock's class, the lower bits a serial number, which is 0 for the class.
  struct LockID: Hashable, Sendable {
    let bits: UInt64

    /// The number of bits below the class index.
    ///
    /// The two lowest bits of an ID are always 0; `ThreadLocks` stores flags in them.
    static let serialBits: UInt64 = 42

    init(bits: UInt64) { self.bits = bits & ~3 }

    init(classIndex: Int, serial: UInt64) {
      bits = UInt64(classIndex) << Self.serialBits | (serial << 2) % (1 << Self.serialBits)
    }

    var classIndex: Int { Int(bits >> Self.serialBits) }
    var serial: UInt64 { (bits % (1 << Self.serialBits)) >> 2 }

    /// Whether this identifies a class of locks: all locks that one source line makes.
    var isOfClass: Bool { serial == 0 }

    /// The class of the lock, or of the class itself.
    var ofClass: LockID { LockID(classIndex: classIndex, serial: 0) }
  }

  /// Connects a primitive to the deadlock detector.
  ///
  /// Each call whose name begins with `will` comes before the act, and each with `did` after it. The primitive
  /// must call `willAcquire` before an acquisition that may wait forever, and then `didAcquire`, or
  /// `didStopWaiting` if it was not acquired. After an acquisition that does not wait or has a timeout, it must
  /// call `didAcquireUnannounced` instead. It must call `willRelease` before each release, on the thread that
  /// acquired the lock.
  public struct Probe: Sendable {
    /// The lock's ID, kind and flags.
    ///
    /// An object, so that the probe of a held lock has a fixed address, and ends with its lock.
    @usableFromInline
    package final class Contents: Sendable {
      let flags = PlainLockWord()
      let primitive: Primitive
      let id: LockID

      init(_ primitive: Primitive) {
        self.primitive = primitive
        id = Detector.shared.newID(of: primitive)
      }

      deinit {
        if flags.loadRelaxed() & Probe.isInGraph != 0 { Detector.shared.forget(id) }
      }
    }

    /// Flag: the graph may have a node of the lock, which `deinit` must remove.
    static let isInGraph: UInt32 = 1
    /// Flag: a thread has acquired this read-write lock for writing.
    static let isWritten: UInt32 = 2
    /// Flag: several tasks may hold the lock at the same time.
    static let admitsSeveralTasks: UInt32 = 8
    /// Flag of a predicate: a write section that can make it true ran on a thread that held no other lock.
    static let hasFreeWriter: UInt32 = 4

    let contents: Contents
    private let explored: ExploredLock

    /// Makes the connection of `primitive` to the tools.
    public init(_ primitive: Primitive) {
      contents = Contents(primitive)
      explored = ExploredLock(primitive)
    }

    /// Tells the explorer of the event if it runs the calling thread.
    ///
    /// The explorer finds the deadlocks of its threads itself, so `LockingThread.current` is `nil` there.
    borrowing func note(_ event: ExploredLock.Event) { ExploredThreads.current?.note(event, explored) }

    /// Whether the detector is part of the build.
    @usableFromInline
    package static var isOn: Bool { true }

    /// The primitive's identity, with its label and source line; builds without the trait know only `kind`.
    @usableFromInline
    package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { contents.primitive }

    func has(_ flag: UInt32) -> Bool { contents.flags.loadRelaxed() & flag != 0 }

    /// Sets the flag, and returns the flags that were set before.
    @discardableResult
    func set(_ flag: UInt32) -> UInt32 { contents.flags.setBitsRelaxed(flag) }

    /// The address of `contents`, for the held locks of a thread.
    var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(contents).toOpaque()) }

    // MARK: What primitives call

    /// Reports a deadlock that the acquisition makes possible, and records that the calling thread is about
    /// to acquire the lock.
    ///
    /// Must be called before an acquisition that may wait forever.
    @usableFromInline
    package borrowing func willAcquire(_ mode: LockMode = .write) {
      note(.willAcquire(mode))
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
      thread.locks.push(self, mode, isPending: true, frame: interlock_caller_frame_address())
    }

    /// Records that the calling thread has acquired the lock.
    ///
    /// Must be called after the acquisition that `willAcquire` announced.
    @usableFromInline
    package borrowing func didAcquire() {
      note(.didAcquire(nil))
      guard let thread = LockingThread.current else { return }
      thread.locks.endPending()
    }

    /// Records that the calling thread has acquired the lock, without adding an edge to the graph.
    ///
    /// Must be called after an acquisition that `willAcquire` did not announce, because it did not wait or has a
    /// timeout. Such an acquisition ends whatever other threads do, so it can't deadlock. Edges are added only
    /// for an acquisition of several locks together (see `acquiresSeveral(after:)`).
    @usableFromInline
    package borrowing func didAcquireUnannounced(_ mode: LockMode = .write) {
      note(.didAcquire(mode))
      guard let thread = LockingThread.current else { return }
      if thread.locks.countBeforeSeveral != nil { check(thread, mode) }
      thread.locks.push(self, mode, isPending: false, frame: interlock_caller_frame_address())
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
    package static func acquiresSeveral(after count: Int?) {
      LockingThread.current?.locks.countBeforeSeveral = count
    }

    /// The number of locks that the calling thread holds.
    @usableFromInline
    package static var heldCount: Int { LockingThread.current?.locks.count ?? 0 }

    /// Records that the calling thread is about to release the lock.
    @usableFromInline
    package borrowing func willRelease() {
      note(.releases)
      guard let thread = LockingThread.current else { return }
      thread.locks.remove(contents.id)
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
    package borrowing func didPass(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
    }

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
      guard !has(Self.hasFreeWriter), let thread = LockingThread.current else { return }
      let mode: LockMode = waitedItself ? .satisfyingAfterWaiting : .satisfying
      if !Detector.tasksHoldLocks {
        if thread.locks.count + thread.locks.untrackedCount <= 1 { return noteFreeWriter() }
        if thread.locks.knowsAcquisition(of: contents.id, mode) { return }
        thread.locks.setKnown(contents.id, mode)
      }
      Detector.shared.satisfying(self, of: lock?.contents.id, mode, thread)
    }

    /// Records that a thread without other locks ran a write section that can make the predicate true.
    borrowing func noteFreeWriter() {
      // Both flags are in one atomic word. Either this thread sees `isInGraph`, or the thread that sets
      // `isInGraph` later sees `hasFreeWriter`.
      if set(Self.hasFreeWriter) & Self.isInGraph != 0 { Detector.shared.noteFreeWriter(contents.id) }
    }

    /// Reports a deadlock that a wait for the probe's dispatch queue makes possible, and records the wait.
    ///
    /// Must be called before the calling thread submits a work item to the queue and waits for its end. After
    /// the wait, the thread must call `didStopWaiting`. The work item must pass the result of this function to
    /// `didBegin` at its beginning, and to `willEnd` at its end.
    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait {
      guard let thread = LockingThread.current else { return QueueWait() }
      let frame = interlock_caller_frame_address()
      check(thread, mode)
      thread.locks.push(self, mode, isPending: true, frame: frame)
      return QueueWait(submittedAt: frame)
    }

    /// Records that the calling thread runs the work item and holds the lock.
    ///
    /// Must be called at the beginning of the work item, on the thread that runs it.
    ///
    /// - Returns: The enclosing work item, inside which the thread runs this one; pass it to `willEnd`.
    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer {
      wait.end()
      if wait.isOfCallingThread { didAcquire() } else { didAcquireUnannounced(mode) }
      return wait.enter()
    }

    /// Records that the calling thread no longer runs the work item.
    ///
    /// Must be called at the end of the work item, on the thread that runs it.
    package borrowing func willEnd(_ wait: QueueWait, in outer: QueueWait.Outer) {
      wait.leave(to: outer)
      if !wait.isOfCallingThread { willRelease() }
    }

    @inline(__always)
    private borrowing func check(_ thread: LockingThread, _ mode: LockMode) {
      let isFirstWrite = mode == .write && contents.primitive.kind.has(.sharesReads) && !has(Self.isWritten)
      if isFirstWrite { Detector.shared.noteWriter(self, thread) }
      if !Detector.tasksHoldLocks,
        (thread.locks.countBeforeSeveral ?? thread.locks.count) == 0
          || thread.locks.knowsAcquisition(of: contents.id, mode)
      {
        return
      }
      Detector.shared.acquiring(self, mode, thread)
    }
  }

  /// A thread's wait for a work item that it has submitted to a dispatch queue.
  ///
  /// The queue usually runs the item on the waiting thread itself, but may run it on another thread.
  package struct QueueWait {
    /// The work item that a thread was running when another item began on that thread; empty if there was
    /// none.
    package struct Outer {
      fileprivate let item: WorkItem?
    }

    private let thread = LockingThread.current
    private let sleep = Detector.shared.beginSleep()
    private let item: WorkItem?

    package init() { item = nil }

    fileprivate init(submittedAt frame: UInt) {
      item = thread.map { WorkItem(submitter: Detector.shared.stack(of: $0), submitterFrame: frame) }
    }

    fileprivate var isOfCallingThread: Bool { LockingThread.current == thread }

    package func end() {
      if let sleep { Detector.shared.endSleep(sleep) }
    }

    fileprivate func enter() -> Outer {
      guard let current = LockingThread.current else { return Outer(item: nil) }
      let outer = Outer(item: current.locks.item)
      current.locks.item = item
      if current != thread { current.locks.item?.submitterFrame = 0 }
      return outer
    }

    fileprivate func leave(to outer: Outer) {
      LockingThread.current?.locks.item = outer.item
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
  package func whileAsleep<R>(_ body: () -> R) -> R { Detector.shared.whileAsleep(body) }

  /// Reports the locks that the calling thread holds; does nothing if it holds none.
  ///
  /// A primitive must call this function before it runs code that may need any lock.
  ///
  /// - Parameter call: The report's description of the code that is about to run.
  @usableFromInline
  package func checkNoLockHeld(before call: StaticString) {
    Detector.shared.checkNoLockHeld(before: call)
  }
#endif
