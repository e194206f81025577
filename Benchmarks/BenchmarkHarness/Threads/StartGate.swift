internal import Synchronization
internal import ThreadSupport

/// Starts the threads of a round at the same moment, when the last thread has arrived; can be used only once.
///
/// Threads wait by yielding and not by sleeping. Sleeping threads would be woken one after another, and the
/// first of them would run alone for a while.
final class StartGate: Sendable {
  private let missing: Atomic<Int>
  private let openedAt = Atomic<UInt64>(0)

  init(threads: Int) {
    missing = Atomic(threads)
  }

  /// Waits until all threads of the round have arrived, and returns the moment at which the last one arrived.
  ///
  /// All threads get the same moment.
  ///
  /// - Parameter now: Returns the current time; only the thread that arrives last calls it. The time must not
  ///   be 0, which stands for a closed gate.
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
