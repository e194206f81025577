#if DeadlockDetection
  internal import CInterlock
  package import InterlockCore

  // The locks that tasks hold: each `AsyncMutex`, and each permit of an `AsyncSemaphore`. A task holds such a
  // lock also while it is suspended, and may resume on another thread. These locks are therefore stored by
  // task, and are protected by the detector's mutex.
  //
  // The runtime does not report which task waits for which other task. If a task waits for its child, and the
  // child waits for a lock of its parent, the detector finds no cycle. It reports a long wait instead.

  /// The locks that tasks hold.
  ///
  /// The instance may be accessed only while the detector's mutex is held.
  struct TaskLocks {
    private(set) var locks: [UInt64: [HeldLock]] = [:]

    func held(by task: UInt64) -> [HeldLock] { locks[task] ?? [] }

    /// The locks that the task holds, without earlier acquisitions of `id`: a task may hold several permits of a
    /// semaphore, and a mutex traps by itself.
    func held(by task: UInt64, without id: LockID) -> [HeldLock] { held(by: task).filter { $0.id != id } }

    mutating func add(_ lock: HeldLock, to task: UInt64) { locks[task, default: []].append(lock) }

    mutating func remove(_ id: LockID, from task: UInt64) {
      guard var held = locks[task], let index = held.lastIndex(where: { $0.id == id }) else { return }
      held.remove(at: index)
      locks[task] = held.isEmpty ? nil : held
    }
  }

  extension Detector {
    /// The total number of locks that tasks hold.
    private static let locksOfTasks = PlainAtomicWord()

    /// Whether the calling task may hold a lock; `false` outside of tasks.
    static var tasksHoldLocks: Bool { locksOfTasks.load(.relaxed) != 0 && interlock_task_id() != 0 }

    package func admitsSeveralTasks(_ probe: borrowing Probe) { probe.set(Probe.admitsSeveralTasks) }

    /// Adds an edge to the primitive from each lock that the calling task holds, and reports the cycles that the
    /// edges close.
    ///
    /// Adds no edge if the task holds no other lock. Keeps the stack for `taskWillSleep`.
    package func taskWillAcquire(_ probe: borrowing Probe) {
      guard Self.tasksHoldLocks, let thread = LockingThread.current else { return }
      let task = UInt64(interlock_task_id())
      let id = probe.contents.id
      suspending(thread) {
        withState { state, found in
          let held = state.tasks.held(by: task, without: id)
          if held.isEmpty, state.waitLimit == nil { return }
          thread.locks.announced = (task, id, state.stack(of: thread, []))
          if held.isEmpty { return }
          probe.set(Probe.isInGraph)
          state.add(id, .write, after: held, by: .task(task), on: thread, &found)
        }
      }
    }

    package func taskDidAcquire(_ probe: borrowing Probe) {
      let id = probe.contents.id
      let mode: LockMode = probe.has(Probe.admitsSeveralTasks) ? .read : .write
      probe.set(Probe.isInGraph)
      let task = UInt64(interlock_task_id())
      guard task != 0, let thread = LockingThread.current else { return }
      Self.locksOfTasks.add(1, .relaxed)
      withState { state, _ in
        let stack = state.stack(of: thread, [])
        state.tasks.add(HeldLock(id: id, mode: mode, stack: stack), to: task)
      }
    }

    package func taskWillRelease(_ probe: borrowing Probe) {
      let id = probe.contents.id
      let task = UInt64(interlock_task_id())
      guard task != 0, LockingThread.current != nil else { return }
      Self.locksOfTasks.add(.max, .relaxed)
      withState { state, _ in state.tasks.remove(id, from: task) }
    }

    /// Records that the calling task waits for a lock, and reports a cycle of waiting tasks.
    ///
    /// Such a cycle is always a deadlock. A task removes a lock from `tasks` before it releases the lock, so
    /// each lock in `tasks` is really held. A waiting task can't release its locks.
    package func taskWillSleep(_ probe: borrowing Probe) {
      let id = probe.contents.id
      let task = UInt64(interlock_task_id())
      guard task != 0, let thread = LockingThread.current else { return }
      suspending(thread) {
        withState { state, found in
          let held = state.tasks.held(by: task)
          let announced = thread.locks.announced
          let sleep = state.blocked.add(
            .task(task), wanted: id, .write, held.map { (id: $0.id, mode: $0.mode) },
            announced?.task == task && announced?.id == id ? announced?.stack : nil,
            began: state.waitLimit == nil ? 0 : interlock_monotonic_ns())
          thread.locks.announced = nil
          if let cycle = state.blocked.cycle(closedBy: sleep, state.graph) { found.append(.happened(cycle)) }
        }
      }
    }

    package func taskDidWake() {
      withState { state, _ in state.blocked.remove(.task(UInt64(interlock_task_id()))) }
    }
  }
#endif
