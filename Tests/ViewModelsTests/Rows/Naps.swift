import Protectors
import ViewModels

/// Lets workers sleep until a test wakes them.
final class Naps: Sendable {
  private struct State: Sendable {
    var durations: [Duration] = []
    var woken = 0
    var hasEnded = false
  }

  private let state = Protector(State())

  /// The durations of all requested sleeps.
  var durations: [Duration] { state.value.durations }

  /// The closure for `RowsConfiguration.sleep`.
  func sleep(_ duration: Duration, _ flag: StopFlag) {
    let number = state.withWriteLock { state in
      state.durations.append(duration)
      return state.durations.count
    }
    state.withReadLock(waitingUntil: { $0.woken >= number || $0.hasEnded }) { _ in }
    if state.value.hasEnded { flag.waitUntilSet() }
  }

  func wait(for count: Int) {
    state.withReadLock(waitingUntil: { $0.durations.count >= count }) { _ in }
  }

  /// Wakes those that sleep now.
  func wake() {
    state.withWriteLock { $0.woken = $0.durations.count }
  }

  /// Lets all sleep until their flag is set.
  func end() {
    state.withWriteLock { $0.hasEnded = true }
  }
}
