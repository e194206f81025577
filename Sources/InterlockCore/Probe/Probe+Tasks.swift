#if DeadlockDetection
  internal import CInterlock

  // The locks that tasks hold: each `AsyncMutex`, and each permit of an `AsyncSemaphore`. A task holds such a
  // lock also while it is suspended, and may resume on another thread. These locks are therefore stored by
  // task, and are protected by the detector's mutex.
  //
  // The runtime does not report which task waits for which other task. If a task waits for its child, and the
  // child waits for a lock of its parent, the detector finds no cycle. It reports a long wait instead.

  extension Probe {
    /// Records that several tasks may hold the lock at the same time.
    ///
    /// Must be called before the first acquisition.
    @usableFromInline
    package borrowing func admitsSeveralTasks() { set(Self.admitsSeveralTasks) }

    /// Reports a deadlock that becomes possible when the calling task acquires the lock, or waits for the
    /// predicate.
    ///
    /// Must be called before each such acquisition and wait that has no timeout.
    @usableFromInline
    package borrowing func taskWillAcquire() {
      note(.willAcquire(.write))
      Detector.shared.taskAcquiring(self)
    }

    /// Records that the calling task holds the lock.
    ///
    /// Must be called after each acquisition, with or without a wait.
    @usableFromInline
    package borrowing func taskDidAcquire() {
      note(.didAcquire(.write))
      let mode: LockMode = has(Self.admitsSeveralTasks) ? .read : .write
      set(Self.isInGraph)
      Detector.shared.addLock(contents.id, mode)
    }

    /// Records that the calling task no longer holds the lock.
    ///
    /// Must be called before the task releases the lock, so that each recorded lock is really held.
    @usableFromInline
    package borrowing func taskWillRelease() {
      note(.releases)
      Detector.shared.removeLock(contents.id)
    }

    /// Records that the calling task waits for the lock, and reports a deadlock if the wait completes one.
    ///
    /// Must be called before a wait that neither a timeout nor cancellation can end.
    package borrowing func taskWillSleep() { Detector.shared.beginTaskSleep(contents.id) }

    /// Records that the calling task no longer waits for a lock.
    ///
    /// Must be called after the wait that `taskWillSleep` announced.
    package borrowing func taskDidWake() { Detector.shared.endTaskSleep() }
  }

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

    /// Adds an edge to the primitive from each lock that the calling task holds, and reports the cycles that the
    /// edges close.
    ///
    /// Adds no edge if the task holds no other lock. Keeps the stack for `beginTaskSleep`.
    fileprivate func taskAcquiring(_ probe: borrowing Probe) {
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

    fileprivate func addLock(_ id: LockID, _ mode: LockMode) {
      let task = UInt64(interlock_task_id())
      guard task != 0, let thread = LockingThread.current else { return }
      Self.locksOfTasks.add(1, .relaxed)
      withState { state, _ in
        let stack = state.stack(of: thread, [])
        state.tasks.add(HeldLock(id: id, mode: mode, stack: stack), to: task)
      }
    }

    fileprivate func removeLock(_ id: LockID) {
      let task = UInt64(interlock_task_id())
      guard task != 0, LockingThread.current != nil else { return }
      Self.locksOfTasks.add(.max, .relaxed)
      withState { state, _ in state.tasks.remove(id, from: task) }
    }

    /// Records that the calling task waits for a lock, and reports a cycle of waiting tasks.
    ///
    /// Such a cycle is always a deadlock. A task removes a lock from `tasks` before it releases the lock, so
    /// each lock in `tasks` is really held. A waiting task can't release its locks.
    fileprivate func beginTaskSleep(_ id: LockID) {
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

    fileprivate func endTaskSleep() {
      withState { state, _ in state.blocked.remove(.task(UInt64(interlock_task_id()))) }
    }
  }
#endif
