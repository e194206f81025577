#if DeadlockDetection
  internal import CInterlock
  public import LockSupport

  /// The order in which a thread must acquire several locks of one label (see `declareOrder(of:_:)`).
  @usableFromInline
  package enum LockOrder: Sendable {
    /// No order is declared, so the graph has a node for each lock.
    case undeclared
    /// The lock with the lower address comes first.
    case byAddress
    /// The lock with the lower key comes first.
    case byKey
    /// A thread must not hold two of the locks at the same time.
    case onlyOne
  }

  /// Records in which order the threads of the process acquire locks, and reports possible deadlocks.
  ///
  /// The state is protected by a mutex of its own, which the detector does not observe.
  @usableFromInline
  package final class Detector: SleepObserver {
    @usableFromInline
    package static let shared = Detector()

    /// The current epoch, which is part of each key in the caches of threads (see `ThreadLocks`).
    ///
    /// An increment invalidates all cache entries.
    static let epoch = AtomicWord(1)

    struct State {
      /// The order in which threads acquire locks.
      var graph = LockGraph()
      /// Like `graph`, but with a node for each class of locks instead of each lock (see `classNode(_:)`).
      var classes = LockGraph()
      var learnsClassOrders = true
      var orders: [String: LockOrder] = [:]
      var threads: Set<LockingThread> = []
      var tasks = TaskLocks()
      var blocked = BlockedThreads()
      var action = DetectionAction.standard
      var waitLimit: UInt64?
      var scopes: [String: SharedLockNode] = [:]
      var hasReportedUntracked = false
    }

    // Sound: `state` is accessed only in `withState`, while the mutex is held.
    private nonisolated(unsafe) var state = State()
    private let serial = AtomicWord(1)

    private init() { SleepObservers.install(self) }

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

    /// Runs `body` while the mutex is held, and returns its result; `body` must not acquire a lock.
    package func exclusively<R>(_ body: () -> R) -> R { withState { _, _ in body() } }

    // MARK: Locks and threads

    func newID(of primitive: Primitive) -> LockID {
      LockID(classIndex: primitive.lockClass.index, serial: serial.add(1, .relaxed))
    }

    func forget(_ id: LockID) {
      withState { state, _ in state.graph.remove(id) }
    }

    func addThread(_ thread: LockingThread) {
      withState { state, _ in _ = state.threads.insert(thread) }
    }

    func removeThread(_ thread: LockingThread) {
      withState { state, _ in _ = state.threads.remove(thread) }
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
    package func setAction(_ action: DetectionAction) {
      let previous = withState { state, _ in
        let previous = state.action
        state.action = action
        return previous
      }
      // Releases the previous action outside `withState`: the release may run a `deinit` that calls the
      // detector.
      withExtendedLifetime(previous) {}
    }

    @usableFromInline
    package func declare(_ order: LockOrder, of label: StaticString) {
      withState { state, _ in
        state.orders["\(label)"] = order
        for (id, node) in state.graph.nodes where node.isWritten { state.graph.noteWriter(state.nodeID(id)) }
      }
      Self.epoch.add(1, .relaxed)
    }

    /// Returns the node that all calls of `holding` with one name share.
    ///
    /// The first call makes the node.
    @usableFromInline
    package func scope(_ label: StaticString, _ file: StaticString, _ line: UInt) -> SharedLockNode {
      let name = "\(label)"
      if let node = withState({ state, _ in state.scopes[name] }) { return node }
      let node = SharedLockNode(Primitive(.scope, label, file, line))
      return withState { state, _ in
        if let other = state.scopes[name] { return other }
        state.scopes[name] = node
        return node
      }
    }

    /// Sets the order key of all locks that the calling thread makes from now on, and returns the previous
    /// key; `nil` stands for no key.
    @usableFromInline
    package func setOrderKey(_ key: Int?) -> Int? {
      guard let thread = LockingThread.current else { return nil }
      defer { thread.locks.orderKey = key }
      return thread.locks.orderKey
    }

    @usableFromInline
    package func forgetAll() {
      withState { state, _ in
        state.graph.removeEdges()
        state.classes.removeEdges()
      }
      Reports.forgetAll()
      Self.epoch.add(1, .relaxed)
    }

    @usableFromInline
    package func setLearnsClassOrders(_ learns: Bool) {
      withState { state, _ in
        state.learnsClassOrders = learns
        if !learns { state.classes.removeEdges() }
      }
      Self.epoch.add(1, .relaxed)
    }

    @usableFromInline
    package var repeatedReports: Int { Reports.repeated }

    package var threadCount: Int { withState { state, _ in state.threads.count } }

    @usableFromInline
    package var remembered: (locks: Int, pairs: Int) {
      withState { state, _ in (state.graph.nodes.count, state.graph.edgeCount) }
    }

    // MARK: Acquisitions

    /// An acquisition that is about to begin, with the data for edges to its lock.
    struct Acquisition {
      let id: LockID
      let mode: LockMode
      let address: UInt
      let orderKey: Int?

      init(_ node: borrowing LockNode, _ mode: LockMode) {
        id = node.contents.id
        self.mode = mode
        address = node.address
        orderKey = node.contents.orderKey
      }
    }

    /// Adds an edge to `node` from each lock that the thread holds, and reports the cycles that the edges
    /// close.
    ///
    /// Also reports an acquisition against a declared order, and one by which the thread would wait for
    /// itself.
    func acquiring(
      _ node: borrowing LockNode, _ mode: LockMode, _ thread: LockingThread
    ) {
      let acquisition = Acquisition(node, mode)
      let kind = node.contents.primitive.kind
      var held = thread.locks.heldBefore
      var isNew = false
      if let own = held.first(where: { $0.id == acquisition.id }) {
        // Adds no edge if the thread already holds the lock. The exception is a thread that invalidates a
        // lifecycle inside its delivery: it waits for the lifecycle's deliveries on other threads, which may
        // need a lock that the thread holds.
        //
        // A delivery itself gives no edge. If two threads are inside deliveries of the same two lifecycles,
        // and invalidate them in opposite orders, the detector reports nothing, but the lifecycles trap.
        held = kind == .lifecycle && mode == .write ? held.filter { $0.kind != .lifecycle } : []
        // Reports a thread that would wait for itself. A read/write lock that only counts its readers can't
        // notice that the calling thread is one of them. Other locks trap by themselves, or admit the thread.
        if own.mode == .read ? kind.waitsInNestedRead : kind.waitsForItself {
          suspending(thread) {
            withState { state, found in
              let stack = state.stack(of: thread, [HeldLock(own)])
              found.append(.nested(in: own, mode, thread.party, stack))
            }
          }
        }
      }
      if !held.isEmpty {
        node.set(LockNode.isInGraph)
        for lock in held { lock.setIsInGraph() }
        isNew = suspending(thread) {
          withState { state, found in
            state.add(acquisition, after: held.map(HeldLock.init), by: thread.party, on: thread, &found)
          }
        }
      }
      thread.locks.setKnown(acquisition.id, mode, isNew: isNew)
    }

    /// Captures the stack of `thread`, which must be the calling thread.
    func stack(of thread: LockingThread) -> LockStack {
      withState { state, _ in state.stack(of: thread, thread.locks.held.map(HeldLock.init)) }
    }

    /// Reports that the calling thread holds more locks than are tracked; does so only once in a process.
    func reportUntracked(_ thread: LockingThread) {
      suspending(thread) {
        withState { state, found in
          if state.hasReportedUntracked { return }
          state.hasReportedUntracked = true
          found.append(.untracked(thread.party, state.stack(of: thread, [])))
        }
      }
    }

    /// Reports the locks that the calling thread holds; does nothing if it holds none.
    ///
    /// A primitive must call this function before it runs code that may need any lock. Deliveries to a
    /// `Lifecycle` do not count as locks, because such code is allowed inside them.
    ///
    /// - Parameter call: The report's description of the code that is about to run.
    @usableFromInline
    package func checkNoLockHeld(before call: StaticString) {
      guard let thread = LockingThread.current, thread.locks.count > 0 else { return }
      let held = thread.locks.held
      suspending(thread) {
        withState { state, found in
          let locks = held.filter { $0.kind.forbidsUnknownCalls }
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
    func noteWriter(_ node: borrowing LockNode, _ thread: LockingThread) {
      node.set(LockNode.isWritten | LockNode.isInGraph)
      let id = node.contents.id
      suspending(thread) {
        withState { state, found in
          for node in [id, state.nodeID(id)] {
            state.graph.noteWriter(node)
            for edge in state.graph.readingEdges(into: node) { state.graph.report(closedBy: edge, &found) }
          }
          let lockClass = state.classNode(id)
          guard state.learnsClassOrders, state.classes.noteWriter(lockClass) else { return }
          for edge in state.classes.readingEdges(into: lockClass) {
            state.classes.report(closedBy: edge, ofClasses: true, &found)
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
    /// - Parameter section: `.satisfying`, or `.satisfyingAfterWaiting` if the section itself may have waited
    ///   for a predicate. Edges are added only for `.satisfying`.
    func satisfying(_ predicate: borrowing LockNode, _ section: LockMode, _ thread: LockingThread) {
      let id = predicate.contents.id
      // Leaves out the last lock, which is the protector's own, and deliveries to lifecycles, which wait for
      // nothing.
      var held = thread.locks.held.dropLast().filter { $0.kind != .lifecycle }.map(HeldLock.init)
      let isFree = suspending(thread) {
        withState { state, found in
          let ofTask = state.tasks.held(by: UInt64(interlock_task_id()))
          let party: Party = ofTask.isEmpty ? thread.party : .task(UInt64(interlock_task_id()))
          held += ofTask
          if held.isEmpty { return true }
          if predicate.set(LockNode.isInGraph) & LockNode.hasFreeWriter != 0 { return false }
          let common = state.graph.keepWriterLocks(Set(held.map { state.nodeID($0.id) }), of: id)
          if section == .satisfyingAfterWaiting { return false }
          for lock in held where common.contains(state.nodeID(lock.id)) {
            let nodes = LockID.Pair(from: id, to: state.nodeID(lock.id))
            if state.graph.has(nodes, .write, lock.mode, []) { continue }
            let edge = LockEdge(
              from: id, to: lock.id, nodes: nodes, fromMode: .write, toMode: lock.mode, held: [],
              party: party,
              stack: state.stack(of: thread, [lock]), fromFrame: lock.frame, fromStack: lock.stack)
            if state.graph.insert(edge) { state.graph.report(closedBy: edge, &found) }
          }
          return false
        }
      }
      if isFree { predicate.noteFreeWriter() }
    }
  }

  extension Detector.State {
    /// Captures the stack of `thread`, which must be the calling thread.
    ///
    /// - Parameter held: Locks that the thread holds. The stack records which frame acquired each of them.
    func stack(of thread: LockingThread, _ held: [HeldLock]) -> LockStack {
      .capture(heldFrom: held.filter { $0.stack == nil }.map { $0.frame }, in: thread.locks.item)
    }

    /// Adds the edges of an acquisition to the graphs, and appends the problems that it shows to `found`:
    /// cycles that the edges close, and violations of a declared order.
    ///
    /// - Returns: Whether the graphs lacked an edge of the acquisition, or a declared order was violated.
    mutating func add(
      _ acquired: Detector.Acquisition, after held: [HeldLock], by party: Party, on thread: LockingThread,
      _ found: inout [Finding]
    ) -> Bool {
      let id = acquired.id
      let ids = held.map { (id: $0.id, mode: $0.mode) }
      var captured: LockStack?
      var isNew = false
      func makeEdge(from lock: HeldLock, _ nodes: LockID.Pair, _ ids: [(id: LockID, mode: LockMode)])
        -> LockEdge
      {
        let stack = captured ?? stack(of: thread, held)
        captured = stack
        isNew = true
        return LockEdge(
          from: lock.id, to: id, nodes: nodes, fromMode: lock.mode, toMode: acquired.mode, held: ids,
          party: party, stack: stack, fromFrame: lock.frame, fromStack: lock.stack)
      }
      for lock in held.reversed() {
        let order = order(of: lock.id, and: id)
        let nodes = LockID.Pair(from: nodeID(lock.id), to: nodeID(id))
        let isRight =
          switch order {
          case .undeclared: true
          case .byAddress: lock.address < acquired.address
          case .byKey: (lock.orderKey ?? .min) < (acquired.orderKey ?? .min)
          case .onlyOne: false
          }
        if !isRight {
          found.append(.order(order, makeEdge(from: lock, nodes, ids)))
        } else if order == .undeclared, !graph.has(nodes, lock.mode, acquired.mode, ids) {
          let edge = makeEdge(from: lock, nodes, ids)
          if graph.insert(edge) { graph.report(closedBy: edge, &found) }
        }
      }
      guard learnsClassOrders, LockClass.whileLocked(at: id.classIndex).kind != .predicate else {
        return isNew
      }
      // Adds no edge if the thread already holds any lock of the same class: locks of one class may have an
      // order of their own, for example by address or along a list.
      let to = classNode(id)
      let classes = held.map { (id: classNode($0.id), mode: $0.mode) }
      if classes.contains(where: { $0.id == to }) { return isNew }
      for lock in held.reversed() where !lock.isHandOverHand {
        let nodes = LockID.Pair(from: classNode(lock.id), to: to)
        if self.classes.has(nodes, lock.mode, acquired.mode, classes) { continue }
        let edge = makeEdge(from: lock, nodes, classes)
        if self.classes.insert(edge) { self.classes.report(closedBy: edge, ofClasses: true, &found) }
      }
      return isNew
    }
  }
#endif
