internal import Synchronization
internal import ThreadSupport

/// Starts the threads of a round at the same moment, when the last of them has arrived.
///
/// Threads wait by yielding and not by sleeping. If they were woken one after another, the first ones would
/// run alone for a while.
final class StartGate: Sendable {
  private let missing: Atomic<Int>
  private let openedAt = Atomic<UInt64>(0)

  init(threads: Int) {
    missing = Atomic(threads)
  }

  /// Waits for the other threads.
  ///
  /// Returns the moment at which the gate opened, the same for all of them.
  ///
  /// - Parameter now: The clock, read by the last thread to arrive.
  func pass(now: () -> UInt64) -> UInt64 {
    if missing.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      let moment = now()
      openedAt.store(moment, ordering: .releasing)
      return moment
    }
    while true {
      let moment = openedAt.load(ordering: .acquiring)
      if moment != 0 { return moment }
      PlatformThread.yield()
    }
  }
}
