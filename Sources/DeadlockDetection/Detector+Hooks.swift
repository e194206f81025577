#if DeadlockDetection
  internal import CInterlock
  package import InterlockCore

  // Sound: initialized once, and never changed or deallocated.
  private nonisolated(unsafe) let hooks: UnsafeRawPointer = {
    let hooks = UnsafeMutablePointer<any ProbeHooks>.allocate(capacity: 1)
    unsafe hooks.initialize(to: Detector.shared)
    return UnsafeRawPointer(hooks)
  }()

  /// Returns the address of the functions that `Probe` calls.
  ///
  /// `InterlockCore` calls this function, although that module is below this one. A program that contains the core, but
  /// not the detector, therefore does not link with the trait.
  @c
  @usableFromInline
  func interlock_probe_hooks() -> UnsafeRawPointer { unsafe hooks }

  extension Detector: ProbeHooks {
    package func number(of primitive: Primitive) -> UInt64 { newID(of: primitive).bits }

    package func forget(_ number: UInt64, flags: UInt32) {
      if flags & Probe.isInGraph != 0 { forget(LockID(bits: number)) }
    }

    package func willAcquire(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt) {
      guard let thread = LockingThread.current else { return }
      check(probe, thread, mode)
      thread.locks.push(probe, mode, isPending: true, frame: frame)
    }

    package func didAcquire() { LockingThread.current?.locks.endPending() }

    package func didAcquireUnannounced(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt) {
      guard let thread = LockingThread.current else { return }
      if thread.locks.countBeforeSeveral != nil { check(probe, thread, mode) }
      thread.locks.push(probe, mode, isPending: false, frame: frame)
    }

    package func acquiresSeveral(after count: Int?) {
      LockingThread.current?.locks.countBeforeSeveral = count
    }

    package var heldCount: Int { LockingThread.current?.locks.count ?? 0 }

    package func willRelease(_ probe: borrowing Probe) {
      LockingThread.current?.locks.remove(probe.contents.id)
    }

    package func didPass(_ probe: borrowing Probe, _ mode: LockMode) {
      guard let thread = LockingThread.current else { return }
      check(probe, thread, mode)
    }

    package func willSatisfy(_ probe: borrowing Probe, afterWaiting waitedItself: Bool, of lock: Probe?) {
      guard !probe.has(Probe.hasFreeWriter), let thread = LockingThread.current else { return }
      let mode: LockMode = waitedItself ? .satisfyingAfterWaiting : .satisfying
      let id = probe.contents.id
      if !Detector.tasksHoldLocks {
        if thread.locks.count + thread.locks.untrackedCount <= 1 { return noteFreeWriter(probe) }
        if thread.locks.knowsAcquisition(of: id, mode) { return }
        thread.locks.setKnown(id, mode)
      }
      satisfying(probe, of: lock?.contents.id, mode, thread)
    }

    /// Records that a thread without other locks ran a write section that can make the predicate true.
    func noteFreeWriter(_ predicate: borrowing Probe) {
      // Both flags are in one atomic word. Either this thread sees `isInGraph`, or the thread that sets
      // `isInGraph` later sees `hasFreeWriter`.
      if predicate.set(Probe.hasFreeWriter) & Probe.isInGraph != 0 { noteFreeWriter(predicate.contents.id) }
    }

    package func willSubmit(_ probe: borrowing Probe, _ mode: LockMode, frame: UInt) -> AnyObject? {
      guard let thread = LockingThread.current else { return nil }
      check(probe, thread, mode)
      thread.locks.push(probe, mode, isPending: true, frame: frame)
      return WorkItem(submitter: stack(of: thread), submitterFrame: frame)
    }

    package func run(_ item: AnyObject?, onSubmitter: Bool) -> AnyObject? {
      guard let thread = LockingThread.current else { return nil }
      let outer = thread.locks.item
      let item = item as? WorkItem
      thread.locks.item =
        onSubmitter ? item : item.map { WorkItem(submitter: $0.submitter, submitterFrame: 0) }
      return outer
    }

    @inline(__always)
    private func check(_ probe: borrowing Probe, _ thread: LockingThread, _ mode: LockMode) {
      let isFirstWrite =
        mode == .write && probe.contents.primitive.kind.has(.sharesReads) && !probe.has(Probe.isWritten)
      if isFirstWrite { noteWriter(probe, thread) }
      if !Detector.tasksHoldLocks,
        (thread.locks.countBeforeSeveral ?? thread.locks.count) == 0
          || thread.locks.knowsAcquisition(of: probe.contents.id, mode)
      {
        return
      }
      acquiring(probe, mode, thread)
    }
  }
#endif
