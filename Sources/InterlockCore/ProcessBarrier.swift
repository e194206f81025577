public import CInterlock

/// An asymmetric memory barrier for two sides of a race: the rare side pays for both.
///
/// Suppose that each of two threads stores to one word and then loads the word of the other one. Both loads
/// can miss the other thread's store unless each thread has a full barrier between store and load. If one
/// side is frequent and the other one rare, the frequent side calls `light()`, which emits no instruction.
/// The rare side calls `heavy()`, which makes each running thread of the process execute a full barrier. A
/// thread that is not running executes one before it runs again.
///
/// If `heavy()` interrupts the frequent side after its store, the rare side's load sees that store. If it
/// interrupts the frequent side before its load, that load sees the rare side's store.
@usableFromInline
package enum ProcessBarrier {
  private static let isRegistered = interlock_register_process_barrier()

  /// Whether the system has the barrier and lets the process use it, determined once.
  package static var isAvailable: Bool {
    if let thread = ExploredThreads.current { return thread.hasProcessBarrier }
    return isRegistered
  }

  /// The frequent side's barrier: keeps the compiler from moving loads and stores across it, and emits no
  /// instruction.
  @_alwaysEmitIntoClient
  @_transparent
  package static func light() { interlock_compiler_barrier() }

  /// The rare side's barrier: makes each running thread of the process execute a full barrier.
  ///
  /// This is a system call that interrupts other processors. `isAvailable` must be `true`; otherwise the call
  /// traps.
  @_alwaysEmitIntoClient
  package static func heavy() {
    if let thread = ExploredThreads.current { return thread.executeProcessBarrier() }
    let code = interlock_process_barrier()
    // Untested: the process would have to forbid the system call to itself after the registration.
    if code != 0 {
      misuse(
        "Interlock", "the system now refuses the barrier that it has granted before (error \(code))",
        "install the sandbox before the first use of a snapshot or lifecycle, or allow membarrier in it")
    }
  }
}

#if os(Linux)
  extension ProcessBarrier {
    /// Registers the calling process for the barrier if its parent was registered.
    ///
    /// Must be called in each child made by `fork`.
    package static func registerInChild() {
      if isRegistered { _ = interlock_register_process_barrier() }
    }
  }
#else
  extension ProcessBarrier {
    package static func registerInChild() {}
  }
#endif
