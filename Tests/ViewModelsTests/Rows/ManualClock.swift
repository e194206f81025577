import Protectors
import ViewModels

/// A clock that a test advances by hand.
final class ManualClock: RowsClock {
  private struct State {
    var now = Duration.zero
    var naps: [Duration] = []
    var sleepers = 0
    var channels: [ObjectIdentifier: StopChannel] = [:]
  }

  private let state = Protector(State())

  /// The durations of all requested sleeps.
  var naps: [Duration] { state.withReadLock { $0.naps } }

  func sleep(for duration: Duration, unless channel: StopChannel) {
    let end = state.withWriteLock { state in
      state.naps.append(duration)
      state.sleepers += 1
      state.channels[ObjectIdentifier(channel)] = channel
      return state.now + duration
    }
    while !channel.isClosed {
      let nudges = channel.nudges
      if state.withReadLock({ $0.now >= end }) { break }
      channel.waitForNudge(after: nudges)
    }
    state.withWriteLock { $0.sleepers -= 1 }
  }

  func waitForSleepers(_ count: Int) {
    state.withReadLock(waitingUntil: { $0.sleepers == count }) { _ in }
  }

  func waitForNaps(_ count: Int) {
    state.withReadLock(waitingUntil: { $0.naps.count >= count }) { _ in }
  }

  /// Advances the clock and wakes threads whose time has come.
  func advance(by duration: Duration) {
    let channels = state.withWriteLock { state in
      state.now += duration
      return Array(state.channels.values)
    }
    for channel in channels { channel.nudge() }
  }
}
