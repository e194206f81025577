import Protectors
import ViewModels

/// A clock that a test advances by hand.
final class ManualClock: RowsClock {
  private struct State {
    var now = Duration.zero
    var naps: [Duration] = []
    var sleepers = 0
    var flags: [ObjectIdentifier: StopFlag] = [:]
  }

  private let state = Protector(State())

  /// The durations of all requested sleeps.
  var naps: [Duration] { state.withReadLock { $0.naps } }

  func sleep(for duration: Duration, unless flag: StopFlag) {
    let end = state.withWriteLock { state in
      state.naps.append(duration)
      state.sleepers += 1
      state.flags[ObjectIdentifier(flag)] = flag
      return state.now + duration
    }
    while !flag.isSet {
      let notifications = flag.notifications
      if state.withReadLock({ $0.now >= end }) { break }
      flag.waitForNotification(after: notifications)
    }
    state.withWriteLock { $0.sleepers -= 1 }
  }

  func waitForSleepers(_ count: Int) {
    state.withReadLock(waitingUntil: { $0.sleepers == count }) { _ in }
  }

  func waitForNaps(_ count: Int) {
    state.withReadLock(waitingUntil: { $0.naps.count >= count }) { _ in }
  }

  /// Advances the clock, and wakes the threads whose sleep has ended.
  func advance(by duration: Duration) {
    let flags = state.withWriteLock { state in
      state.now += duration
      return Array(state.flags.values)
    }
    for flag in flags { flag.notify() }
  }
}
