import Protectors

/// A clock that the test advances by hand.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var sinceStart: Duration

    func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
  }

  private struct Sleeper: Sendable {
    var number: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Instant(sinceStart: .zero)
    var sleeperCount = 0
    var cancelled: Set<Int> = []
    var sleepers: [Sleeper] = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = ExclusiveProtector(State())

  var now: Instant { state.withWriteLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  var sleeping: Int { state.withWriteLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withWriteLock { state in
      state.sleeperCount += 1
      return state.sleeperCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(number: number, deadline: deadline, continuation: continuation)
        let (answer, observers) = state.withWriteLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.contains(number) { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers.append(sleeper)
          defer { state.observers = [] }
          return (nil, state.observers)
        }
        if let answer { continuation.resume(with: answer) }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let sleeper = state.withWriteLock { state -> Sleeper? in
        state.cancelled.insert(number)
        return state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps.
  func waitForSleeper() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withWriteLock { state in
        if state.sleepers.isEmpty { state.observers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  /// Advances the clock, and wakes the tasks whose deadline has been reached.
  func advance(by duration: Duration) {
    let woken = state.withWriteLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
