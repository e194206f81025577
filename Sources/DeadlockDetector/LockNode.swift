#if DeadlockDetection
  internal import CInterlock
  public import LockSupport

  // The connection between primitives and the deadlock detector, compiled only with the trait
  // `DeadlockDetection`. Each primitive on which threads can wait contains a `LockNode`, and calls it at each
  // acquisition and release.

  extension PrimitiveKind {
    /// Whether code that may need any lock must not run while the thread holds a lock of this kind.
    var forbidsUnknownCalls: Bool { self != .lifecycle && self != .activation }

    /// Whether a read section inside a read section of the same thread may wait for a writer.
    ///
    /// A `DispatchReadWriteLock` recognises a nested read only while its own queue is the current one. If a
    /// section of another queue is in between, the nested read waits.
    var waitsInNestedRead: Bool { self == .compact || self == .spin || self == .posix || self == .dispatch }

    /// Whether a thread waits for itself when it again acquires a lock that it holds for writing.
    ///
    /// Locks of the other kinds trap, or admit the thread.
    var waitsForItself: Bool { self == .scope || self == .queueOfProperty || self == .dispatch }
  }

  /// Identifies a lock as long as the process runs, even after the lock is deallocated.
  ///
  /// The upper bits are the index of the lock's class, the lower bits a serial number.
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

    /// The nodes that an edge of the graph connects.
    struct Pair: Hashable {
      let from: LockID
      let to: LockID
    }
  }

  /// Connects a primitive to the deadlock detector.
  ///
  /// The primitive must call `willAcquire` before an acquisition that may wait forever, and `didAcquire`
  /// after it. After an acquisition that does not wait or has a timeout, it must call
  /// `didAcquireWithoutWaiting` instead. It must call `didRelease` for each release, on the thread that
  /// acquired the lock.
  @usableFromInline
  package struct LockNode: ~Copyable, Sendable {
    /// The lock's ID, kind, order key and flags.
    ///
    /// An atomic does not move while it is borrowed. The atomic flags therefore give a held lock a fixed
    /// address.
    struct Contents: ~Copyable {
      let flags = LockWord()
      let primitive: Primitive
      let orderKey: Int?
      let id: LockID
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

    @usableFromInline
    package init(_ primitive: Primitive) {
      contents = Contents(
        primitive: primitive, orderKey: LockingThread.current?.locks.orderKey,
        id: Detector.shared.newID(of: primitive))
    }

    /// Whether the detector is part of the build.
    @usableFromInline
    package static var isOn: Bool { true }

    /// The primitive's identity, with its label and source line; builds without the trait know only `kind`.
    @usableFromInline
    package borrowing func primitive(_ kind: PrimitiveKind) -> Primitive { contents.primitive }

    @usableFromInline
    deinit {
      if has(Self.isInGraph) { Detector.shared.forget(contents.id) }
    }

    func has(_ flag: UInt32) -> Bool { contents.flags.loadRelaxed() & flag != 0 }

    /// Sets the flag, and returns the flags that were set before.
    @discardableResult
    func set(_ flag: UInt32) -> UInt32 { contents.flags.setBitsRelaxed(flag) }

    /// The address of `contents`, which a declared order by address compares.
    var address: UInt {
      // The address of `contents` is that of its first stored property, `flags`.
      unsafe contents.flags.withAddress { UInt(bitPattern: $0) }
    }

    // MARK: What primitives call

    /// Reports a deadlock that the acquisition makes possible, and records that the calling thread is about
    /// to acquire the lock.
    ///
    /// Must be called before an acquisition that may wait forever.
    @usableFromInline
    package borrowing func willAcquire(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
      push(thread, mode, isPending: true, frame: interlock_caller_frame_address())
    }

    /// Records that the calling thread has acquired the lock.
    ///
    /// Must be called after the acquisition that `willAcquire` announced.
    @usableFromInline
    package borrowing func didAcquire() {
      guard let thread = LockingThread.current else { return }
      thread.locks.endPending()
    }

    /// Records that the calling thread has acquired the lock, without adding an edge to the graph.
    ///
    /// Must be called after an acquisition that does not wait, or that has a timeout. Such an acquisition
    /// ends whatever other threads do, so it can't deadlock. Edges are added only for an acquisition of
    /// several locks together (see `acquiresSeveral(after:)`).
    @usableFromInline
    package borrowing func didAcquireWithoutWaiting(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      if thread.locks.countBeforeSeveral != nil { check(thread, mode) }
      push(thread, mode, isPending: false, frame: interlock_caller_frame_address())
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

    /// Records that the calling thread no longer holds the lock, or no longer waits for it.
    ///
    /// Must be called at each release, and when a wait ends without an acquisition.
    @usableFromInline
    package borrowing func didRelease() {
      guard let thread = LockingThread.current else { return }
      thread.locks.remove(contents.id)
    }

    /// Reports a deadlock that an acquisition would make possible, without recording the lock as held.
    ///
    /// Must be called when the calling thread uses the primitive without a wait, but might have to wait in
    /// another run. An example is the use of a lazy value that is already initialised.
    @usableFromInline
    package borrowing func didPass(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
    }

    /// Records that the calling thread's write section can make a predicate of the protector true.
    ///
    /// Threads that wait for the predicate depend on the other locks that the calling thread holds, so the
    /// graph gets edges to those locks. Must be called in the section, on the node of the predicates.
    ///
    /// - Parameter waitedItself: Whether the section itself may have waited for a predicate. The graph then
    ///   gets no edges: the detector assumes that such a section consumes a value and does not provide one.
    @usableFromInline
    package borrowing func willSatisfy(afterWaiting waitedItself: Bool = false) {
      guard !has(Self.hasFreeWriter), let thread = LockingThread.current else { return }
      let mode: LockMode = waitedItself ? .satisfyingAfterWaiting : .satisfying
      if Detector.locksOfTasks.load(.relaxed) == 0 {
        if thread.locks.count <= 1 { return noteFreeWriter() }
        if thread.locks.knowsAcquisition(of: contents.id, mode) { return }
        thread.locks.setKnown(contents.id, mode, isNew: true)
      }
      Detector.shared.satisfying(self, mode, thread)
    }

    /// Records that a thread without other locks ran a write section that can make the predicate true.
    borrowing func noteFreeWriter() {
      // Both flags are in one atomic word. Either this thread sees `isInGraph`, or the thread that sets
      // `isInGraph` later sees `hasFreeWriter`.
      if set(Self.hasFreeWriter) & Self.isInGraph != 0 { Detector.shared.noteFreeWriter(contents.id) }
    }

    /// Reports a deadlock that a wait for the node's dispatch queue makes possible, and records the wait.
    ///
    /// Must be called before the calling thread submits a work item to the queue and waits for its end. After
    /// the wait, the thread must call `didRelease`. The work item must pass the result of this function to
    /// `didBegin` at its beginning, and to `willEnd` at its end.
    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait {
      guard let thread = LockingThread.current else { return QueueWait() }
      let frame = interlock_caller_frame_address()
      check(thread, mode)
      push(thread, mode, isPending: true, frame: frame)
      return QueueWait(submittedAt: frame)
    }

    /// Records that the calling thread runs the work item and holds the lock.
    ///
    /// Must be called at the beginning of the work item, on the thread that runs it.
    ///
    /// - Returns: The enclosing work item, inside which the thread runs this one; pass it to `willEnd`.
    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer {
      wait.end()
      if wait.isOfCallingThread { didAcquire() } else { didAcquireWithoutWaiting(mode) }
      return wait.enter()
    }

    /// Records that the calling thread no longer runs the work item.
    ///
    /// Must be called at the end of the work item, on the thread that runs it.
    package borrowing func willEnd(_ wait: QueueWait, in outer: QueueWait.Outer) {
      wait.leave(to: outer)
      if !wait.isOfCallingThread { didRelease() }
    }

    @inline(__always)
    private borrowing func push(
      _ thread: LockingThread, _ mode: LockMode, isPending: Bool, frame: UInt
    ) {
      if !thread.locks.push(self, mode, isPending: isPending, frame: frame) {
        Detector.shared.reportUntracked(thread)
      }
    }

    @inline(__always)
    private borrowing func check(_ thread: LockingThread, _ mode: LockMode) {
      let isFirstWrite = mode == .write && contents.primitive.kind.sharesReads && !has(Self.isWritten)
      if isFirstWrite { Detector.shared.noteWriter(self, thread) }
      if Detector.locksOfTasks.load(.relaxed) != 0 { Detector.shared.acquiring(self, mode, asTask: false) }
      if (thread.locks.countBeforeSeveral ?? thread.locks.count) == 0
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

  /// Holds a `LockNode` in an object of its own.
  ///
  /// Dispatch queues and the names passed to `DeadlockDetector.holding` use this class, because they have no
  /// stored property for a node.
  @usableFromInline
  package final class SharedLockNode: Sendable {
    @usableFromInline
    package let node: LockNode

    @usableFromInline
    package init(_ primitive: Primitive) {
      node = LockNode(primitive)
    }
  }

  /// Runs `body`, and records the calling thread as asleep meanwhile.
  ///
  /// In `body`, the thread must wait for the lock that `LockNode.willAcquire` announced.
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
