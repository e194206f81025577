import Protectors
import TestSupport

/// A clock that the test advances by hand.
final class HandClock: Clock, Sendable {
  private struct State: Sendable {
    var now = TestInstant()
    var sleepers = 0
  }

  private let state = Protector(State())

  var now: TestInstant { state.withReadLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  var sleeping: Int { state.withReadLock { $0.sleepers } }

  func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
    state.withWriteLock { $0.sleepers += 1 }
    let isOver = await state.withReadLock(waitingUntil: { $0.now >= deadline }) { _ in }
    state.withWriteLock { $0.sleepers -= 1 }
    if !isOver { throw CancellationError() }
  }

  /// Waits until a task sleeps.
  func waitForSleeper() async {
    _ = await state.withReadLock(waitingUntil: { $0.sleepers > 0 }) { _ in }
  }

  /// Advances the clock, and wakes the tasks whose deadline has been reached.
  func advance(by duration: Duration) {
    state.withWriteLock { $0.now = $0.now.advanced(by: duration) }
  }
}
