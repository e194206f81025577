public import CInterlock

/// The processor's constant-rate counter, for comparing durations.
///
/// It has no particular unit.
@usableFromInline
package enum Ticks {
  /// The counter's value, read after all earlier instructions of the calling thread have completed.
  @_alwaysEmitIntoClient
  package static var now: UInt64 {
    // Always 0 under the explorer: its executions must be reproducible, so they must not depend on durations.
    ExploredThreads.current == nil ? interlock_ticks() : 0
  }
}
