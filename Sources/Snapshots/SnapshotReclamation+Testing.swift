internal import CInterlock
internal import LockSupport

extension SnapshotReclamation {
  /// Runs `body`, in which the calling thread reads as on a system without a barrier for all threads.
  ///
  /// In `body`, its reads announce values by an exchange instead of a store. Other threads still use
  /// stores.
  package static func withExchangingReads<R>(_ body: () -> R) -> R {
    // A thread's first search for a slot sets how the thread reads, and would otherwise undo the change.
    _ = HazardSlot.free
    interlock_set_exchanges_hazards(true)
    defer { interlock_set_exchanges_hazards(!ProcessBarrier.isAvailable) }
    return body()
  }
}
