#if DeadlockDetection
  internal import CInterlock
  public import InterlockCore

  /// Records in which order the threads of the process acquire locks, and reports possible deadlocks.
  ///
  /// The state is protected by a mutex of its own, which the detector does not observe.
  @usableFromInline
  package final class Detector: Sendable {
    @usableFromInline
    package static let shared = Detector()

    /// The current epoch, which is part of each key in the caches of threads (see `ThreadLocks`).
    ///
    /// An increment invalidates all cache entries.
    static let epoch = PlainAtomicWord(1)

    struct State {
      /// The order in which threads acquire locks.
      var graph = LockGraph()
      /// `nil` until the program sets `learnsClassOrders`.
      var learnsClassOrdersIfSet: Bool?
      var threads: Set<LockingThread> = []
      var tasks = TaskLocks()
      var blocked = BlockedThreads()
      var action = DeadlockAction.standard
      var waitLimit: UInt64?
      /// When the program's waits were last compared with the limit, in nanoseconds.
      var lastReport: UInt64 = 0
      /// The beginning of the last wait that was reported as a long one, for each thread and task.
      var reportedWaits: [Party: UInt64] = [:]
      var scopes: [String: SharedProbe] = [:]

      /// Whether edges are added between classes of locks.
      ///
      /// The detector does not know whether two threads ever use the same locks of two classes, so it may
      /// report a right program. By default, such a report must not trap.
      var learnsClassOrders: Bool {
        if case .trap = action { learnsClassOrdersIfSet ?? false } else { learnsClassOrdersIfSet ?? true }
      }

      /// Changes settings, and forgets the orders of classes if that turns `learnsClassOrders` off.
      ///
      /// The edges would otherwise be reported when a lock of such a class is first acquired for writing.
      mutating func set(_ change: (inout State) -> Void) {
        let wasLearning = learnsClassOrders
        change(&self)
        if learnsClassOrders == wasLearning { return }
        if wasLearning { graph.removeEdges(ofClassesAlone: true) }
        Detector.epoch.add(1, .relaxed)
      }
    }

    // Sound: `state` is accessed only in `withState`, while the mutex is held.
    private nonisolated(unsafe) var state = State()
    private let serial = PlainAtomicWord(1)

    private init() {}

    /// Runs `body` with the state and an empty list of findings while the mutex is held, and returns its
    /// result.
    ///
    /// `body` must not acquire a lock. After releasing the mutex, this function reports each finding that
    /// `body` has appended, unless earlier reports cover it, and performs the action for each report.
    func withState<R>(_ body: (inout State, inout [Finding]) -> R) -> R {
      var found: [Finding] = []
      interlock_detector_lock()
      let result = unsafe body(&state, &found)
      let action = unsafe state.action
      interlock_detector_unlock()
      for finding in found {
        if let deadlock = Reports.write(finding) { action.perform(deadlock) }
      }
      return result
    }

    // MARK: Locks and threads

    func newID(of primitive: Primitive) -> LockID {
      LockID(classIndex: primitive.lockClass.index, serial: serial.add(1, .relaxed))
    }

    func forget(_ id: LockID) {
      withState { state, _ in state.graph.remove(id) }
    }

    /// Runs `body` and returns its result; the detector ignores the locks that `thread` acquires meanwhile.
    ///
    /// `thread` must be the calling thread.
    func suspending<R>(_ thread: LockingThread, _ body: () -> R) -> R {
      thread.locks.isSuspended = true
      defer { thread.locks.isSuspended = false }
      return body()
    }

    // MARK: Settings

    @usableFromInline
    package var action: DeadlockAction {
      get { withState { state, _ in state.action } }
      set {
        let previous = withState { state, _ in
          let previous = state.action
          state.set { $0.action = newValue }
          return previous
        }
        // Releases the previous action outside `withState`: the release may run a `deinit` that calls the
        // detector.
        withExtendedLifetime(previous) {}
      }
    }

    /// Returns the probe that all calls of `holding` with one name share.
    ///
    /// The first call makes the probe.
    @usableFromInline
    package func scope(_ label: StaticString, _ file: StaticString, _ line: UInt) -> SharedProbe {
      let name = "\(label)"
      if let probe = withState({ state, _ in state.scopes[name] }) { return probe }
      let probe = SharedProbe(
        Primitive(PrimitiveKind("scope", .isRegion | .waitsForItself), label, file, line))
      return withState { state, _ in
        if let other = state.scopes[name] { return other }
        state.scopes[name] = probe
        return probe
      }
    }

    @usableFromInline
    package func forgetAll() {
      withState { state, _ in state.graph.removeEdges() }
      Reports.forgetAll()
      Self.epoch.add(1, .relaxed)
    }

    @usableFromInline
    package var learnsClassOrders: Bool {
      get { withState { state, _ in state.learnsClassOrders } }
      set {
        withState { state, _ in state.set { $0.learnsClassOrdersIfSet = newValue } }
      }
    }

    @usableFromInline
    package var repeatedReports: Int { Reports.repeated }

    package var threadCount: Int { withState { state, _ in state.threads.count } }

    @usableFromInline
    package var remembered: (locks: Int, pairs: Int) {
      withState { state, _ in state.graph.counts }
    }

    // MARK: Acquisitions

    /// Adds an edge to the primitive from each lock that the thread and its task hold, and reports the cycles that
    /// the edges close.
    ///
    /// Also reports an acquisition by which the thread would wait for itself.
    func acquiring(
      _ probe: borrowing Probe, _ mode: LockMode, _ thread: LockingThread
    ) {
      let id = probe.contents.id
      let kind = probe.contents.primitive.kind
      var held = thread.locks.heldBefore
      if let own = held.first(where: { $0.id == id }) {
        // Adds no edge if the thread already holds the lock. The exception is a thread that invalidates a
        // lifecycle inside its delivery: it waits for the lifecycle's deliveries on other threads, which may
        // need a lock that the thread holds.
        //
        // A delivery itself gives no edge. If two threads are inside deliveries of the same two lifecycles,
        // and invalidate them in opposite orders, the detector reports nothing, but the lifecycles trap.
        held = kind.isRundown && mode == .write ? held.filter { !$0.kind.isRundown } : []
        // Reports a thread that would wait for itself. A read/write lock that only counts its readers can't
        // notice that the calling thread is one of them. Other locks trap by themselves, or admit the thread.
        if kind.has(own.mode == .read ? .waitsInNestedRead : .waitsForItself) {
          suspending(thread) {
            withState { state, found in
              let own = HeldLock(own)
              found.append(.nested(in: own, mode, thread.party, state.stack(of: thread, [own])))
            }
          }
        }
      }
      // An edge must have all locks that the thread holds, because one of them may exclude other threads.
      if thread.locks.untrackedCount > 0 { return }
      let task = Self.tasksHoldLocks ? UInt64(interlock_task_id()) : 0
      if !held.isEmpty || task != 0 {
        let isOfTask = suspending(thread) {
          withState { state, found in
            let ofTask = state.tasks.held(by: task, without: id)
            if held.isEmpty, ofTask.isEmpty { return false }
            probe.set(Probe.isInGraph)
            for lock in held { lock.setIsInGraph() }
            state.add(
              id, mode, after: ofTask + held.map(HeldLock.init),
              by: ofTask.isEmpty ? thread.party : .task(task), on: thread, &found)
            return !ofTask.isEmpty
          }
        }
        // What a thread knows says nothing of the locks of a task.
        if isOfTask { return }
      }
      thread.locks.setKnown(id, mode)
    }

    /// Captures the stack of `thread`, which must be the calling thread.
    func stack(of thread: LockingThread) -> LockStack {
      withState { state, _ in state.stack(of: thread, thread.locks.held.map(HeldLock.init)) }
    }

    /// Reports the locks that the calling thread holds; does nothing if it holds none.
    ///
    /// A primitive must call this function before it runs code that may need any lock. Deliveries to a
    /// `Lifecycle` do not count as locks, because such code is allowed inside them.
    ///
    /// - Parameter call: The report's description of the code that is about to run.
    package func checkNoLockHeld(before call: StaticString) {
      guard let thread = LockingThread.current, thread.locks.count > 0 else { return }
      let held = thread.locks.held
      suspending(thread) {
        withState { state, found in
          let locks = held.filter { !$0.kind.has(.isCompletion) }
          if locks.isEmpty { return }
          found.append(
            .call(call, while: locks, thread.party, state.stack(of: thread, locks.map(HeldLock.init))))
        }
      }
    }

    /// Records that a lock is acquired for writing for the first time.
    ///
    /// From now on, readers of the lock may have to wait. This function therefore reports the cycles that
    /// contain acquisitions for reading.
    func noteWriter(_ probe: borrowing Probe, _ thread: LockingThread) {
      probe.set(Probe.isWritten | Probe.isInGraph)
      let id = probe.contents.id
      suspending(thread) {
        withState { state, found in
          for node in [id, id.ofClass] where state.graph.noteWriter(node) {
            for edge in state.graph.readingEdges(into: node) { state.graph.report(closedBy: edge, &found) }
          }
        }
      }
    }

    /// Records that a thread without other locks can make the predicate `id` true.
    ///
    /// Threads that wait for the predicate then depend on no other lock, and can't be in a cycle.
    func noteFreeWriter(_ id: LockID) {
      withState { state, _ in _ = state.graph.keepWriterLocks([], of: id) }
    }

    /// Adds edges from the predicate to other locks that the thread holds, and reports the cycles that the
    /// edges close.
    ///
    /// The thread must be in a write section of the predicate's protector. Threads that wait for the
    /// predicate depend on some thread that runs such a section. They therefore depend only on the locks that
    /// are held in all these sections, so only those locks get edges.
    ///
    /// - Parameters:
    ///   - lock: The protector's own lock; `nil` if it is the last one that the thread holds.
    ///   - section: `.satisfying`, or `.satisfyingAfterWaiting` if the section itself may have waited for a
    ///     predicate. Edges are added only for `.satisfying`.
    func satisfying(
      _ predicate: borrowing Probe, of lock: LockID?, _ section: LockMode, _ thread: LockingThread
    ) {
      let id = predicate.contents.id
      let all = thread.locks.held
      let ownLock = lock ?? all.last?.id
      // Leaves out deliveries to lifecycles, too, which wait for nothing.
      let own = all.filter { $0.id != ownLock && !$0.kind.isRundown }
      var held = own.map(HeldLock.init)
      let isFree = suspending(thread) {
        withState { state, found in
          let ofTask = state.tasks.held(by: UInt64(interlock_task_id()))
          let party: Party = ofTask.isEmpty ? thread.party : .task(UInt64(interlock_task_id()))
          held += ofTask
          if held.isEmpty { return true }
          if predicate.set(Probe.isInGraph) & Probe.hasFreeWriter != 0 { return false }
          let common = state.graph.keepWriterLocks(Set(held.map { $0.id }), of: id)
          if section == .satisfyingAfterWaiting || thread.locks.untrackedCount > 0 { return false }
          for lock in own { lock.setIsInGraph() }
          for lock in held where common.contains(lock.id) {
            if state.graph.has(from: id, to: lock.id, .write, lock.mode, []) { continue }
            let waited = HeldLock(id: id, mode: .write, frame: lock.frame, stack: lock.stack)
            let edge = LockEdge(
              lock: waited, lockTo: lock.id, toMode: lock.mode, from: id, to: lock.id, held: [], party: party,
              stack: state.stack(of: thread, [lock]))
            if state.graph.insert(edge) { state.graph.report(closedBy: edge, &found) }
          }
          return false
        }
      }
      if isFree { noteFreeWriter(predicate) }
    }
  }

  extension Detector.State {
    /// Captures the stack of `thread`, which must be the calling thread.
    ///
    /// - Parameter held: Locks that the thread holds. The stack records which frame acquired each of them.
    func stack(of thread: LockingThread, _ held: [HeldLock]) -> LockStack {
      .capture(heldFrom: held.filter { $0.stack == nil }.map { $0.frame }, in: thread.locks.item)
    }

    /// Adds the edges of an acquisition to the graph, and appends the cycles that they close to `found`.
    mutating func add(
      _ id: LockID, _ mode: LockMode, after held: [HeldLock], by party: Party, on thread: LockingThread,
      _ found: inout [Finding]
    ) {
      var captured: LockStack?
      func add(_ lock: HeldLock, from: LockID, to: LockID, _ nodes: [(id: LockID, mode: LockMode)]) {
        if graph.has(from: from, to: to, lock.mode, mode, nodes) { return }
        let stack = captured ?? stack(of: thread, held)
        captured = stack
        let edge = LockEdge(
          lock: lock, lockTo: id, toMode: mode, from: from, to: to, held: nodes, party: party, stack: stack)
        if graph.insert(edge) { graph.report(closedBy: edge, &found) }
      }
      let locks = held.map { (id: $0.id, mode: $0.mode) }
      for lock in held.reversed() { add(lock, from: lock.id, to: id, locks) }
      guard learnsClassOrders, !LockClass.whileLocked(at: id.classIndex).kind.has(.isPredicate) else {
        return
      }
      // Adds no edge if the thread already holds any lock of the same class: locks of one class may have an
      // order of their own, for example by address or along a list.
      let classes = held.map { (id: $0.id.ofClass, mode: $0.mode) }
      if classes.contains(where: { $0.id == id.ofClass }) { return }
      for lock in held.reversed() { add(lock, from: lock.id.ofClass, to: id.ofClass, classes) }
    }
  }
#endif
