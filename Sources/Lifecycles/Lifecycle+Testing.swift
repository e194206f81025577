internal import LockSupport

extension Lifecycle {
  /// Makes a `LifecycleCore` in `memory`, activates it and invalidates it.
  ///
  /// The memory must be uninitialised, and have at least the size and the alignment of a `LifecycleCore`.
  /// Returns whether both the activation and the invalidation had an effect.
  package static func live(in memory: UnsafeMutableRawPointer) -> Bool {
    // Sound: the memory is the caller's, and contains a `LifecycleCore` until the end of this function.
    let core = unsafe memory.bindMemory(to: LifecycleCore.self, capacity: 1)
    unsafe core.initialize(to: LifecycleCore(Primitive(.lifecycle, "", #fileID, #line)))
    defer { unsafe core.deinitialize(count: 1) }
    guard let hold = unsafe core.pointee.beginActivation() else { return false }
    unsafe core.pointee.endActivation(hold)
    return unsafe core.pointee.invalidate(label: "in memory")
  }
}
