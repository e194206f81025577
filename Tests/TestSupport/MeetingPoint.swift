/// A place where threads wait until a given number of them have come; then all go on, and it can be used again.
///
/// What a thread did before it came happens before what any of them does after they have met.
package final class MeetingPoint: Sendable {
  private struct State {
    var missing: Int
    var meetings = 0
  }

  private let parties: Int
  private let monitor: Monitor<State>

  /// - Parameter parties: How many threads meet.
  package init(parties: Int) {
    self.parties = parties
    monitor = Monitor(State(missing: parties))
  }

  /// Waits for the others.
  package func meet() {
    let meetingsBefore = monitor.enter { state in
      defer { state.missing -= 1 }
      guard state.missing == 1 else { return state.meetings }
      state.missing += parties
      state.meetings += 1
      return state.meetings - 1
    }
    monitor.enter(when: { $0.meetings > meetingsBefore }, { _ in })
  }
}
