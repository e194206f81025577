/// A clock that a test moves on.
package final class ManualClock: Clock {
  private struct State {
    var now = Duration.zero
    var sleeping: [Duration] = []
  }

  private let state = Monitor(State())

  package init() {}

  package var now: TestInstant { TestInstant(offset: state.enter { $0.now }) }
  package var minimumResolution: Duration { .zero }

  /// The times until which tasks sleep.
  package var sleeping: [Duration] { state.enter { $0.sleeping } }

  package func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
    state.enter { $0.sleeping.append(deadline.offset) }
    defer {
      state.enter { state in
        if let index = state.sleeping.firstIndex(of: deadline.offset) { state.sleeping.remove(at: index) }
      }
    }
    while now < deadline {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  package func advance(by duration: Duration) { state.enter { $0.now += duration } }

  /// Suspends the calling task until a task sleeps: until the given second, or until any.
  package func untilATaskSleeps(until second: Int? = nil) async {
    while !sleeping.contains(where: { second == nil || $0 == .seconds(second!) }) { await Task.yield() }
  }
}
