#if DeadlockDetection
  internal import CInterlock
  public import LockSupport

  // Deadlock detection, which is compiled only with the trait `DeadlockDetection`. Each primitive on which
  // threads can wait contains a `LockNode`, and calls it at each acquisition and release.

  extension PrimitiveKind {
    /// Whether code that may need any lock must not run while a thread holds one of this kind.
    var forbidsUnknownCalls: Bool { self != .lifecycle && self != .activation }

    /// Whether a read section inside a read section of the same thread may wait for a writer.
    ///
    /// A `DispatchReadWriteLock` notices the outer section only on its own queue. So it waits if a section of
    /// another queue is in between.
    var waitsInNestedRead: Bool { self == .compact || self == .spin || self == .posix || self == .dispatch }

    /// Whether a thread that has acquired such a lock for writing, and acquires it again, waits for itself.
    ///
    /// Other locks trap, or admit the thread.
    var waitsForItself: Bool { self == .scope || self == .queueOfProperty || self == .dispatch }
  }

  /// Identifies a lock as long as the process runs, even after the lock is deallocated.
  ///
  /// The upper bits are the index of the lock's class, the lower bits a serial number.
  struct LockID: Hashable, Sendable {
    let bits: UInt64

    /// The number of bits below the class index.
    ///
    /// Bits 0 and 1 are always 0 here; `ThreadLocks` stores flags there.
    static let serialBits: UInt64 = 42

    init(bits: UInt64) { self.bits = bits & ~3 }

    init(classIndex: Int, serial: UInt64) {
      bits = UInt64(classIndex) << Self.serialBits | (serial << 2) % (1 << Self.serialBits)
    }

    var classIndex: Int { Int(bits >> Self.serialBits) }
    var serial: UInt64 { (bits % (1 << Self.serialBits)) >> 2 }

    /// The ends of an edge.
    struct Pair: Hashable {
      let from: LockID
      let to: LockID
    }
  }

  /// Connects a primitive to the deadlock detector.
  ///
  /// The primitive must call `willAcquire` before an acquisition that may wait for ever, and `didAcquire`
  /// after it. After an acquisition that does not wait or has a timeout, it must call
  /// `didAcquireWithoutWaiting` instead. It must call `didRelease` for the release, on the thread that
  /// acquired the lock.
  @usableFromInline
  package struct LockNode: ~Copyable, Sendable {
    /// The lock's ID, kind, order key and flags.
    ///
    /// The atomic flags keep this memory in place while the lock is borrowed.
    struct Contents: ~Copyable {
      let flags = LockWord()
      let primitive: Primitive
      let orderKey: Int?
      let id: LockID
    }

    /// Flag: the graph or a report refers to the lock, so the detector must forget the lock in `deinit`.
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

    /// The identity of the primitive; without the trait, only its kind, which the caller passes.
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
      // A struct has the address of its first stored property.
      unsafe contents.flags.withAddress { UInt(bitPattern: $0) }
    }

    // MARK: What primitives call

    /// Called before the calling thread acquires the lock, if the acquisition may wait.
    ///
    /// Reports a deadlock that this acquisition makes possible.
    @usableFromInline
    package borrowing func willAcquire(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
      push(thread, mode, isPending: true, frame: interlock_caller_frame_address())
    }

    /// Called after the acquisition that `willAcquire` announced.
    @usableFromInline
    package borrowing func didAcquire() {
      guard let thread = LockingThread.current else { return }
      thread.locks.endPending()
    }

    /// Called after an acquisition that does not wait, or has a timeout.
    ///
    /// Adds no edge to the graph: such an acquisition ends in any case, so it can't deadlock.
    @usableFromInline
    package borrowing func didAcquireWithoutWaiting(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      if thread.locks.countBeforeSeveral != nil { check(thread, mode) }
      push(thread, mode, isPending: false, frame: interlock_caller_frame_address())
    }

    /// Called when the calling thread begins to acquire several locks, or has acquired them.
    ///
    /// The thread waits for one of them while it holds no other one. So there are edges to each of them from
    /// the locks that the thread held before, and none between them, although the acquisitions have timeouts.
    ///
    /// - Parameter count: The `heldCount` before the first of the locks was acquired; `nil` at the end.
    @usableFromInline
    package static func acquiresSeveral(after count: Int?) {
      LockingThread.current?.locks.countBeforeSeveral = count
    }

    /// The number of locks that the calling thread holds.
    @usableFromInline
    package static var heldCount: Int { LockingThread.current?.locks.count ?? 0 }

    /// Called when the calling thread releases the lock, or ends its wait without holding the lock.
    @usableFromInline
    package borrowing func didRelease() {
      guard let thread = LockingThread.current else { return }
      thread.locks.remove(contents.id)
    }

    /// Called when the calling thread finds that it need not wait, but would have to in another run.
    ///
    /// For example, a lazy value is already there. Checks the possible wait as `willAcquire` does, but
    /// records no lock as held.
    @usableFromInline
    package borrowing func didPass(_ mode: LockMode = .write) {
      guard let thread = LockingThread.current else { return }
      check(thread, mode)
    }

    /// Called in a write section of a protector, on the node of the protector's predicates.
    ///
    /// The section can make a predicate true. Threads that wait for the predicate depend on the other locks
    /// that the calling thread holds now, so the graph gets edges to those locks.
    ///
    /// - Parameter waitedItself: Whether the section itself may have waited for a predicate. Then the graph
    ///   gets no edges: a consumer also writes, but other threads don't wait for it.
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

    /// Notes that a write section that can make the predicate true ran on a thread that held no other lock.
    borrowing func noteFreeWriter() {
      // Both flags are in one word. So either this thread sees `isInGraph`, or the thread that sets it later
      // sees `hasFreeWriter`.
      if set(Self.hasFreeWriter) & Self.isInGraph != 0 { Detector.shared.noteFreeWriter(contents.id) }
    }

    /// Called before the calling thread submits a work item to the queue that the node stands for, and waits
    /// for its end.
    ///
    /// The thread then calls `didRelease`. The work item calls `didBegin` and `willEnd`.
    package borrowing func willSubmit(_ mode: LockMode) -> QueueWait {
      guard let thread = LockingThread.current else { return QueueWait() }
      let frame = interlock_caller_frame_address()
      check(thread, mode)
      push(thread, mode, isPending: true, frame: frame)
      return QueueWait(submittedAt: frame)
    }

    /// Called at the beginning of a work item.
    ///
    /// - Returns: The work item inside which the thread runs this one.
    package borrowing func didBegin(_ wait: QueueWait, _ mode: LockMode) -> QueueWait.Outer {
      wait.end()
      if wait.isOfCallingThread { didAcquire() } else { didAcquireWithoutWaiting(mode) }
      return wait.enter()
    }

    /// Called at the end of a work item.
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
  /// Dispatch mostly runs the item on the waiting thread itself.
  package struct QueueWait {
    /// The work item inside which a thread runs another one, if there is one.
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
  /// Dispatch queues and the sections of `holding` use it, because they have no stored property for a node.
  @usableFromInline
  package final class SharedLockNode: Sendable {
    @usableFromInline
    package let node: LockNode

    @usableFromInline
    package init(_ primitive: Primitive) {
      node = LockNode(primitive)
    }
  }

  /// Runs `body`, in which the thread sleeps until it has acquired the lock that `willAcquire` announced.
  @usableFromInline
  @inline(never)
  package func whileAsleep<R>(_ body: () -> R) -> R { Detector.shared.whileAsleep(body) }

  /// Reports the locks that the calling thread holds, before it runs code that may need any lock.
  ///
  /// - Parameter call: The words for that code in the report.
  @usableFromInline
  package func checkNoLockHeld(before call: StaticString) {
    Detector.shared.checkNoLockHeld(before: call)
  }
#endif
