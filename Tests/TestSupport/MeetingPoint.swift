/// A reusable barrier: threads wait until a given number of them have arrived, then all continue.
///
/// Everything that a thread did before it arrived is visible to all of the threads when they continue.
package final class MeetingPoint: Sendable {
  private struct State {
    var missing: Int
    var meetings = 0
  }

  private let parties: Int
  private let monitor: Monitor<State>

  /// Makes a barrier.
  ///
  /// - Parameter parties: The number of threads that must arrive before any of them continues.
  package init(parties: Int) {
    self.parties = parties
    monitor = Monitor(State(missing: parties))
  }

  /// Waits until all of the other threads have also arrived.
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
