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
    /// No thread holds two of the locks at once.
    case onlyOne
  }

  /// Records in which order the threads of the process acquire locks, and reports possible deadlocks.
  ///
  /// Its state is protected by a mutex of its own, which the detector does not watch.
  @usableFromInline
  package final class Detector: SleepObserver {
    @usableFromInline
    package static let shared = Detector()

    /// Part of each key in the caches of threads (see `ThreadLocks`), so that a new epoch invalidates all
    /// entries.
    static let epoch = AtomicWord(1)

    struct State {
      var graph = LockGraph()
      var orders: [String: LockOrder] = [:]
      var reported: Set<ReportKey> = []
      var threads: Set<LockingThread> = []
      var blocked = BlockedThreads()
      var action = DetectionAction.standard
      var waitLimit: UInt64?
      var scopes: [String: SharedLockNode] = [:]
    }

    /// Identifies a report, so that it is made only once.
    struct ReportKey: Hashable {
      let kind: DetectedDeadlock.Kind
      let locks: Set<LockID>

      init(_ kind: DetectedDeadlock.Kind, _ locks: some Sequence<LockID>) {
        self.kind = kind
        self.locks = Set(locks)
      }
    }

    // Sound: only `withState` uses it, while it holds the mutex.
    private nonisolated(unsafe) var state = State()
    private let serial = AtomicWord(1)

    private init() { SleepObservers.install(self) }

    /// Runs `body` while the mutex is held.
    ///
    /// After the release it performs the action for each report of `body`.
    func withState<R>(_ body: (inout State, inout [DetectedDeadlock]) -> R) -> R {
      var found: [DetectedDeadlock] = []
      interlock_detector_lock()
      let result = unsafe body(&state, &found)
      let action = unsafe state.action
      interlock_detector_unlock()
      for deadlock in found { action.perform(deadlock) }
      return result
    }

    /// Runs `body`, which must not use a lock, while the mutex is held.
    package func exclusively<R>(_ body: () -> R) -> R { withState { _, _ in body() } }

    // MARK: Locks and threads

    func newID(of primitive: Primitive) -> LockID {
      LockID(classIndex: primitive.lockClass.index, serial: serial.add(1, .relaxed))
    }

    func forget(_ id: LockID) {
      withState { state, _ in
        state.graph.remove(id)
        if !state.reported.isEmpty { state.reported = state.reported.filter { !$0.locks.contains(id) } }
      }
    }

    func addThread(_ thread: LockingThread) {
      withState { state, _ in _ = state.threads.insert(thread) }
    }

    func removeThread(_ thread: LockingThread) {
      withState { state, _ in _ = state.threads.remove(thread) }
    }

    /// Runs `body`, and ignores the locks that the thread acquires meanwhile.
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
      // The previous action is released here, because its release may run a `deinit` that calls the detector.
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

    /// Sets the key of all locks that the calling thread makes from now on, and returns the previous key.
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
        state.reported = []
      }
      Self.epoch.add(1, .relaxed)
    }

    package var threadCount: Int { withState { state, _ in state.threads.count } }

    @usableFromInline
    package var remembered: (locks: Int, pairs: Int) {
      withState { state, _ in (state.graph.nodes.count, state.graph.edgeCount) }
    }

    // MARK: Acquisitions

    /// Adds an edge to `node` from each lock that the thread holds, and reports the cycles that the edges
    /// close.
    ///
    /// Also reports an acquisition against a declared order, and one inside a read section of the same lock.
    func acquiring(
      _ node: borrowing LockNode, _ mode: LockMode, _ thread: LockingThread
    ) {
      let id = node.contents.id
      let (kind, key, address) = (node.contents.primitive.kind, node.contents.orderKey, node.address)
      var held = thread.locks.held
      thread.locks.setKnown(id, mode)
      if let own = held.first(where: { $0.id == id }) {
        // A thread that invalidates a lifecycle inside a delivery to it waits for other threads' deliveries,
        // and these may need a lock that it holds. (Two threads that are both in deliveries to two objects
        // and invalidate them in different orders are not reported here: the lifecycles trap.)
        held = kind == .lifecycle && mode == .write ? held.filter { $0.kind != .lifecycle } : []
        // A read/write lock that only counts its readers can't notice that the calling thread is one of them.
        // Other locks trap by themselves, or admit the thread. In no case does the thread wait for others.
        if own.mode == .read, kind.waitsInNestedRead {
          node.set(LockNode.isInGraph)
          suspending(thread) {
            withState { state, found in
              let stack = LockStack.capture(heldFrom: [own.frame])
              state.report(nestedIn: own, mode, thread.locks.number, stack, &found)
            }
          }
        }
        if held.isEmpty { return }
      }
      node.set(LockNode.isInGraph)
      for lock in held {
        lock.setIsInGraph()
      }
      suspending(thread) {
        withState { state, found in
          var stack: LockStack?
          for lock in held.reversed() {
            let other = lock.id
            let order = state.order(of: other, and: id)
            let isRight =
              switch order {
              case .undeclared: true
              case .byAddress: lock.address < address
              case .byKey: (lock.orderKey ?? .min) < (key ?? .min)
              case .onlyOne: false
              }
            if order != .undeclared, isRight { continue }
            let from = LockID.Pair(from: state.nodeID(other), to: state.nodeID(id))
            let all = held.map { (id: $0.id, mode: $0.mode) }
            let isKnown = state.graph.edges(from: from.from, to: from.to).contains {
              $0.covers(lock.mode, mode, all)
            }
            if order == .undeclared, isKnown { continue }
            let captured = stack ?? LockStack.capture(heldFrom: held.map { $0.frame })
            stack = captured
            let edge = LockEdge(
              from: other, to: id, nodes: from, fromMode: lock.mode, toMode: mode, held: all,
              thread: thread.locks.number, stack: captured, fromFrame: lock.frame)
            if order != .undeclared {
              state.report(edge, against: order, &found)
            } else if state.graph.insert(edge) {
              state.report(closedBy: edge, &found)
            }
          }
        }
      }
    }

    /// Reports the locks that the calling thread holds; does nothing if it holds none.
    ///
    /// Primitives call it before they run code that may need any lock. Deliveries to a `Lifecycle` are not
    /// reported: such code may run inside them.
    ///
    /// - Parameter call: The words for that code in the report.
    @usableFromInline
    package func checkNoLockHeld(before call: StaticString) {
      guard let thread = LockingThread.current, thread.locks.count > 0 else { return }
      let held = thread.locks.held
      for lock in held {
        lock.setIsInGraph()
      }
      suspending(thread) {
        withState { state, found in
          state.report(call, while: held, thread.locks.number, &found)
        }
      }
    }

    /// Notes that a thread acquires the lock for writing for the first time.
    ///
    /// Readers may have to wait from now on, so this reports cycles of acquisitions for reading.
    func noteWriter(_ node: borrowing LockNode, _ thread: LockingThread) {
      node.set(LockNode.isWritten | LockNode.isInGraph)
      let id = node.contents.id
      suspending(thread) {
        withState { state, found in
          for node in [id, state.nodeID(id)] {
            state.graph.noteWriter(node)
            for edge in state.graph.readingEdges(into: node) { state.report(closedBy: edge, &found) }
          }
        }
      }
    }

    /// Notes that a thread without other locks can make the predicate `id` true.
    ///
    /// Threads that wait for the predicate then depend on no other lock, and are in no cycle.
    func noteFreeWriter(_ id: LockID) {
      withState { state, _ in _ = state.graph.keepWriterLocks([], of: id) }
    }

    /// Adds edges from the predicate to the other locks that the thread holds, and reports the cycles that
    /// they close.
    ///
    /// The thread is in a write section of the predicate's protector. Threads that wait for the predicate
    /// depend on such a section of another thread, and so on the locks that are held around all of them.
    func satisfying(_ predicate: borrowing LockNode, _ section: LockMode, _ thread: LockingThread) {
      let id = predicate.contents.id
      thread.locks.setKnown(id, section)
      // The last lock is the protector's own. Deliveries to lifecycles wait for nothing.
      let held = thread.locks.held.dropLast().filter { $0.kind != .lifecycle }
      if held.isEmpty { return predicate.noteFreeWriter() }
      if predicate.set(LockNode.isInGraph) & LockNode.hasFreeWriter != 0 { return }
      suspending(thread) {
        withState { state, found in
          let common = state.graph.keepWriterLocks(Set(held.map { state.nodeID($0.id) }), of: id)
          if section == .satisfyingAfterWaiting { return }
          for lock in held where common.contains(state.nodeID(lock.id)) {
            let (other, mode) = (lock.id, lock.mode)
            let nodes = LockID.Pair(from: id, to: state.nodeID(other))
            let isKnown = state.graph.edges(from: nodes.from, to: nodes.to).contains {
              $0.covers(.write, mode, [])
            }
            if isKnown { continue }
            let edge = LockEdge(
              from: id, to: other, nodes: nodes, fromMode: .write, toMode: mode, held: [],
              thread: thread.locks.number, stack: .capture(heldFrom: [lock.frame]), fromFrame: lock.frame)
            if state.graph.insert(edge) { state.report(closedBy: edge, &found) }
          }
        }
      }
    }
  }
#endif
