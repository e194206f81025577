internal import CInterlock
internal import InterlockCore

/// The costs, for this process, of reclaiming replaced values.
@_spi(Benchmarks)
public enum SnapshotReclamation {
  /// The number of barriers for all threads that the process has executed for its snapshots.
  ///
  /// There are at most 50 barriers in a second, for all snapshots together. Each barrier interrupts the
  /// processors that run threads of this process.
  package static var barrierCount: Int { Int(Reclamation.barriers.load(.relaxed)) }

  /// Whether the system can execute a memory barrier on all threads of the process.
  ///
  /// Determined once. Where it is `false`, each read executes a barrier of its own, an atomic exchange.
  package static var hasBarrier: Bool { ProcessBarrier.isAvailable }

  /// Runs `body`, in which the calling thread reads as on a system without a barrier for all threads.
  ///
  /// In `body`, its reads announce values by an exchange instead of a store. Other threads still use
  /// stores. For measurements.
  public static func withExchangingReads<R>(_ body: () -> R) -> R {
    // A thread's first search for a slot sets how the thread reads, and would otherwise undo the change.
    _ = HazardSlot.free
    interlock_set_exchanges_hazards(true)
    defer { interlock_set_exchanges_hazards(!ProcessBarrier.isAvailable) }
    return body()
  }
}
