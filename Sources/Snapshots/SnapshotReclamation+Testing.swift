internal import CInterlock
internal import LockSupport

extension SnapshotReclamation {
  /// Runs `body`, in which the calling thread reads as on a system without a barrier for all threads.
  ///
  /// An exchange is stronger than a store, so such reads and others mix.
  package static func withExchangingReads<R>(_ body: () -> R) -> R {
    // The first read of a thread determines how it reads. So it comes before the change.
    _ = HazardSlot.free
    interlock_set_exchanges_hazards(true)
    defer { interlock_set_exchanges_hazards(!ProcessBarrier.isAvailable) }
    return body()
  }
}
