import Protectors
import TestSupport
import Testing
import ViewModels

/// Tests models whose last reference is released on a worker thread, when the worker is about to sleep.
@Suite(.serialized) struct RowWorkersTests {
  /// A clock that releases a model in the first sleep of any worker.
  ///
  /// Each sleep lasts until the worker has to stop.
  private final class ReleasingClock: RowsClock {
    private struct State: Sendable {
      var model: RowsViewModel?
      var isReady = false
    }

    private let state = Protector(State())
    private let meeting: MeetingPoint?

    /// Makes a clock.
    ///
    /// - Parameter meeting: A barrier for threads that are about to release a model; `nil` for no barrier.
    init(meeting: MeetingPoint? = nil) {
      self.meeting = meeting
    }

    /// Takes over the reference to the model.
    ///
    /// Until `open()` is called, workers block in `sleep(for:unless:)` and do not release the model yet.
    func take(_ model: consuming RowsViewModel) {
      state.exchange(State(model: model))
    }

    /// Lets the workers that block in `sleep(for:unless:)` continue.
    ///
    /// The first worker that continues releases the model.
    func open() {
      state.withWriteLock { $0.isReady = true }
    }

    func sleep(for duration: Duration, unless flag: StopFlag) {
      state.withReadLock(waitingUntil: { $0.isReady }) { _ in }
      if let model = state.exchange(State(isReady: true)).model {
        meeting?.meet()
        withExtendedLifetime(model) {}
      }
      flag.waitUntilSet(timeout: .seconds(1000))
    }
  }

  /// A random number generator that lives as long as its thread runs, so that `Lifetimes` counts the threads.
  private struct TrackedRandom: RandomNumberGenerator, Sendable {
    let life: Tracked
    var numbers: SeededRandom
    mutating func next() -> UInt64 { numbers.next() }
  }

  /// Makes a model with the clock `clock`, and passes the only reference to the model to `owner`.
  @MainActor
  private func makeModel(
    _ clock: ReleasingClock, _ lifetimes: Lifetimes, workers: Int, owner: ReleasingClock
  ) {
    var configuration = RowsConfiguration()
    configuration.clock = clock
    configuration.makeRandom = {
      TrackedRandom(life: Tracked(lifetimes), numbers: SeededRandom(seed: $0, stream: $1))
    }
    let model = RowsViewModel(configuration)
    model.restart(workers: workers)
    owner.take(model)
  }

  private func waitForEnd(of lifetimes: Lifetimes) {
    onAnotherThread {
      while lifetimes.alive > 0 { MonotonicClock.sleep(.milliseconds(1)) }
    }
  }

  @MainActor
  private func releaseOnItsOwnWorker() {
    let lifetimes = Lifetimes()
    let clock = ReleasingClock()
    makeModel(clock, lifetimes, workers: 3, owner: clock)
    clock.open()
    waitForEnd(of: lifetimes)
  }

  @MainActor
  @Test func aModelReleasedOnItsOwnWorkerEnds() {
    for _ in 0..<20 { releaseOnItsOwnWorker() }
  }

  #if os(Linux)
    /// Tests that a worker's stack does not leak when the worker releases its own model.
    ///
    /// The test runs in a process of its own, where no other test starts threads.
    @Test(.enabled(if: !Sanitizer.isActive, "the sanitizer keeps what threads leave"))
    func endedWorkersReleaseTheirStacks() async {
      await #expect(processExitsWith: .success) {
        await RowWorkersTests().releaseManyTimes()
      }
    }

    @MainActor
    private func releaseManyTimes() {
      for _ in 0..<20 { releaseOnItsOwnWorker() }
      let before = ResidentMemory.addressSpace
      for _ in 0..<120 { releaseOnItsOwnWorker() }
      // A thread that is neither joined nor detached leaks its stack of 8 MB. The limit is 4 MB for each of
      // the 120 models, so a leak of one stack for each model exceeds it.
      let growth = ResidentMemory.addressSpace - before
      precondition(growth < 120 * 4 << 20, "\(growth) bytes")
    }
  #endif

  @MainActor
  @Test func modelsReleasedOnEachOthersWorkersEnd() {
    for _ in 0..<20 {
      let lifetimes = Lifetimes()
      let meeting = MeetingPoint(parties: 2)
      let (first, second) = (ReleasingClock(meeting: meeting), ReleasingClock(meeting: meeting))
      makeModel(first, lifetimes, workers: 1, owner: second)
      makeModel(second, lifetimes, workers: 1, owner: first)
      first.open()
      second.open()
      waitForEnd(of: lifetimes)
    }
  }
}
