internal import LockSupport

/// The costs, for this process, of reclaiming replaced values.
public enum SnapshotReclamation {
  /// How many barriers for all threads the process has executed; at most 50 in a second, for all snapshots.
  ///
  /// Each of them interrupts the processors that run threads of this process.
  public static var barrierCount: Int { Int(Reclamation.barriers.load(.relaxed)) }

  /// Whether reads need no barrier of their own, because the system has one for all threads.
  ///
  /// Determined once. Where it is `false`, a read costs an exchange.
  public static var hasBarrier: Bool { ProcessBarrier.isAvailable }
}
