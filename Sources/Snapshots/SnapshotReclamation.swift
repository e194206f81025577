internal import LockSupport

/// The costs, for this process, of reclaiming replaced values.
public enum SnapshotReclamation {
  /// The number of barriers for all threads that the process has executed for its snapshots.
  ///
  /// There are at most 50 barriers in a second, for all snapshots together. Each barrier interrupts the
  /// processors that run threads of this process.
  public static var barrierCount: Int { Int(Reclamation.barriers.load(.relaxed)) }

  /// Whether the system can execute a memory barrier on all threads of the process.
  ///
  /// Determined once. Where it is `false`, each read executes a barrier of its own, an atomic exchange.
  public static var hasBarrier: Bool { ProcessBarrier.isAvailable }
}
