import Observation
import TestSupport
import ViewModels

/// Records the events of a player form, and counts the changes that the `Observation` module reports.
@MainActor
final class PlayerRecord {
  private(set) var events: [PlayerEvent] = []
  let changes = RelaxedCounter()
  private var taken = 0
  private unowned let player: PlayerViewModel

  init(_ player: PlayerViewModel) {
    self.player = player
    player.onEvent = { [unowned self] event in
      MainActor.preconditionIsolated()
      events.append(event)
    }
    track()
  }

  private func track() {
    withObservationTracking {
      _ = player.state
    } onChange: { [weak self, changes] in
      changes.add(1)
      MainActor.assumeIsolated { self?.track() }
    }
  }

  /// The next event that this function has not returned yet.
  @discardableResult
  func nextEvent() async -> PlayerEvent {
    while events.count == taken { await Task.yield() }
    taken += 1
    return events[taken - 1]
  }
}
