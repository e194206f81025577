import AtomicProperties
import Protectors
import Snapshots
import TestSupport
import Testing
import ViewModels

/// Tests the threads that edit the rows.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(20)))
struct RowWorkersTests {
  /// A model whose workers sleep by `naps`.
  private func model(_ naps: Naps, speed: Double = 1) -> RowsViewModel {
    RowsViewModel(
      .testing {
        $0.sleep = { naps.sleep($0, $1) }
        $0.speed = speed
      })
  }

  @Test(
    "a row at once, then an edit after each sleep of 1 to 4 seconds, divided by the speed",
    arguments: [
      (1, .seconds(1)...(.seconds(4))), (1_000, .milliseconds(1)...(.milliseconds(4))),
      // The shortest of these sleeps is rounded down.
      (.leastNonzeroMagnitude, .seconds(999_999_999)...(.seconds(4_000_000_000))),
    ] as [(Double, ClosedRange<Duration>)])
  func sleeps(speed: Double, expected: ClosedRange<Duration>) async {
    let naps = Naps()
    let model = model(naps, speed: speed)
    model.restart(workers: 3)
    naps.wait(for: 3)
    #expect(Set(model.publishedRows!.current.texts) == ["thread-0", "thread-1", "thread-2"])
    for round in 1...50 {
      naps.wake()
      naps.wait(for: 3 * (round + 1))
    }
    #expect(naps.durations.count == 153 && Set(naps.durations).count > 20)
    #expect(naps.durations.allSatisfy { expected.contains($0) })
    naps.end()
    await model.stop()
  }

  @Test("20 % additions, 10 % removals, 70 % modifications; a row is thread-<id>, and each appends -<id>")
  func proportions() async {
    let model = RowsViewModel(.testing { $0.speed = .infinity })
    let observer = RecordingObserver(model)
    model.restart(workers: 4)
    await observer.waitForNotifications(6_000)
    await model.stop()
    let total = Double(observer.count)
    func share(_ change: RowChange) -> Double {
      Double(observer.notifications.count { $0.change == change }) / total
    }
    #expect((0.17...0.23).contains(share(.inserted)))
    #expect((0.07...0.13).contains(share(.removed)))
    #expect((0.67...0.73).contains(share(.modified)))
    let row = /thread-[0-3](-[0-3])*/
    #expect(model.rows.allSatisfy { $0.text.wholeMatch(of: row) != nil })
    #expect(model.rows.contains { $0.text.count > 12 } && observer.isContent)
  }

  @Test("the same seed makes the same edits")
  func seeded() async {
    func edits(seed: UInt64) async -> [String] {
      let model = RowsViewModel(
        .testing {
          $0.speed = .infinity
          $0.makeRandom = { SplitMix64(state: seed &+ UInt64($0)) }
        })
      let observer = RecordingObserver(model)
      model.restart(workers: 1)
      await observer.waitForNotifications(100)
      await model.stop()
      return observer.notifications.prefix(100).map { "\($0.change) \($0.index) \($0.row.text)" }
    }
    let (first, again, other) = (await edits(seed: 7), await edits(seed: 7), await edits(seed: 800))
    #expect(first == again && first != other)
  }

  @Test("stopping and restarting wake and join workers that sleep for an hour", arguments: [false, true])
  func stopWakes(restarts: Bool) async {
    let model = RowsViewModel(.testing { $0.speed = 1.0 / 3_600 })
    let observer = RecordingObserver(model)
    model.restart(workers: 8)
    await observer.waitForNotifications(8)
    #expect(model.workerCount == 8)
    if restarts { model.restart(workers: 0) } else { await model.stop() }
    #expect(model.workerCount == 0)
  }

  @Test("a call of stop() during another one waits for the workers, too")
  func stopTwice() async {
    let naps = Naps()
    let model = model(naps)
    model.restart(workers: 1)
    naps.wait(for: 1)
    let first = Task { await model.stop() }
    while model.workerCount > 0 { await Task.yield() }
    let hasReturned = RelaxedFlag()
    let second = Task {
      await model.stop()
      hasReturned.set()
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(!hasReturned.isSet)
    naps.end()
    await first.value
    await second.value
  }

  @Test("restarting waits for the workers that a call of stop() still waits for")
  func restartDuringStop() async {
    let naps = Naps()
    let model = model(naps)
    model.restart(workers: 1)
    naps.wait(for: 1)
    let stop = Task { await model.stop() }
    while model.workerCount > 0 { await Task.yield() }
    let isEnding = RelaxedFlag()
    Task.detached {
      await onAThread {
        MonotonicClock.sleep(.milliseconds(20))
        isEnding.set()
        naps.end()
      }
    }
    model.restart(workers: 0)
    #expect(isEnding.isSet)
    await stop.value
  }

  /// A random number generator that lives as long as its thread runs, so that `Lifetimes` counts the threads.
  private struct TrackedRandom: RandomNumberGenerator {
    let life: Tracked
    var numbers: SplitMix64
    mutating func next() -> UInt64 { numbers.next() }
  }

  private nonisolated static func random(_ worker: Int, _ lifetimes: Lifetimes) -> TrackedRandom {
    TrackedRandom(life: Tracked(lifetimes), numbers: SplitMix64(state: UInt64(worker)))
  }

  private func waitForEnd(of lifetimes: Lifetimes) async {
    while lifetimes.alive > 0 { await Task.yield() }
  }

  @Test("workers end with the model, whether they sleep or wait for room", arguments: [false, true])
  func workersEndWithTheModel(waitForRoom: Bool) async {
    let lifetimes = Lifetimes()
    let begun = RelaxedCounter()
    do {
      let model = RowsViewModel(
        .testing {
          $0.speed = waitForRoom ? .infinity : 1.0 / 3_600
          $0.backlogLimit = 4
          $0.makeRandom = {
            begun.add(1)
            return Self.random($0, lifetimes)
          }
        })
      model.restart(workers: 4)
      while begun.value < 4 { PlatformThread.yield() }
      withExtendedLifetime(model) {}
    }
    await waitForEnd(of: lifetimes)
  }

  /// Holds the last reference to a model, and releases it in the first sleep of any worker.
  private final class Releaser: Sendable {
    private struct State: Sendable {
      var model: RowsViewModel?
      var isReady = false
    }

    private let state = Protector(State())

    func take(_ model: consuming RowsViewModel) {
      state.exchange(State(model: model))
    }

    /// Lets workers go on that block in `sleep(_:_:)`; the first of them releases the model.
    func open() {
      state.withWriteLock { $0.isReady = true }
    }

    func sleep(_ duration: Duration, _ flag: StopFlag) {
      state.withReadLock(waitingUntil: { $0.isReady }) { _ in }
      state.exchange(State(isReady: true))
      flag.waitUntilSet()
    }
  }

  @Test("a model that is released on its own worker ends")
  func releasedOnItsOwnWorker() async {
    for _ in 0..<20 {
      let lifetimes = Lifetimes()
      let releaser = Releaser()
      do {
        let model = RowsViewModel(
          .testing {
            $0.sleep = { releaser.sleep($0, $1) }
            $0.makeRandom = { Self.random($0, lifetimes) }
          })
        model.restart(workers: 3)
        releaser.take(model)
      }
      releaser.open()
      await waitForEnd(of: lifetimes)
    }
  }
}
