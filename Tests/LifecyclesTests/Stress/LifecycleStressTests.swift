import Lifecycles
import TestSupport
import Testing

/// Tests deliveries that race with invalidations.
@Suite(.serialized) struct LifecycleStressTests {
  private struct Failure: Error {}

  private static let deliverers = 8

  /// A lifecycle, and variables that bodies of its `whileActive` use.
  ///
  /// There is deliberately no lock: each body must end before `invalidate` returns, which orders the
  /// accesses.
  private final class Round: Sendable {
    let lifecycle = Lifecycle(label: "Stress")
    /// The number of bodies of `whileActive` that each thread has run.
    let deliveries = (0..<deliverers).map { _ in Unguarded(0) }
    /// Whether `invalidate` has returned; bodies of `whileActive` must always find `false`.
    let isOver = Unguarded(false)
    let deliveriesWhenOver = Unguarded(0)

    var total: Int { deliveries.reduce(0) { $0 + $1.value } }
  }

  /// Splits `count` rounds into chunks of at most 100, so that memory use stays small, and calls `body` with
  /// the first round and the size of each chunk.
  private func inChunks(_ count: Int, _ body: (_ chunk: Int, _ size: Int) -> Void) {
    for start in stride(from: 0, to: count, by: 100) {
      body(start, min(100, count - start))
    }
  }

  @Test("deliveries from 8 threads race one invalidate")
  func noDeliveryAfterInvalidateHasReturned() {
    inChunks(StressSize.pick(quick: 400, full: 100_000)) { chunk, size in
      let rounds = (0..<size).map { _ in Round() }
      let meeting = MeetingPoint(parties: Self.deliverers + 1)
      let faults = race(threads: Self.deliverers + 1) { index -> Int in
        var random = Seed.current.generator(stream: chunk + index)
        return rounds.count { round in
          if index == Self.deliverers {
            if random.happens(percent: 50) { round.lifecycle.activate() }
            meeting.meet()
            round.lifecycle.activate()
            for _ in 0..<Int.random(in: 0...100, using: &random) { _ = round.lifecycle.state }
            let isFirst = round.lifecycle.invalidate { round.deliveriesWhenOver.value = round.total }
            round.isOver.value = true
            return !isFirst
          }
          meeting.meet()
          for _ in 0..<Int.random(in: 1...50, using: &random) {
            let isLate = round.lifecycle.whileActive {
              round.deliveries[index].value += 1
              if random.happens(percent: 2) { PlatformThread.yield() }
              return round.isOver.value
            }
            if isLate == true { return true }
          }
          return false
        }
      }
      #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
      #expect(rounds.allSatisfy { $0.total == $0.deliveriesWhenOver.value }, "\(Seed.current)")
    }
  }

  /// One of the racing threads, which performs random operations inside and outside bodies of `whileActive`.
  private struct Actor {
    let round: Round
    let index: Int
    let activations: RelaxedCounter
    let invalidations: RelaxedCounter
    var random: SplitMix64

    /// Performs a random operation inside `depth` nested bodies of `whileActive`.
    ///
    /// Returns `false` if a result was wrong.
    mutating func act(depth: Int) -> Bool {
      let lifecycle = round.lifecycle
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        do throws(Failure) {
          let fails = random.happens(percent: 50)
          try lifecycle.activate { () throws(Failure) in
            if random.happens(percent: 30) { PlatformThread.yield() }
            if fails { throw Failure() }
            activations.add(1)
          }
        } catch {}
        return true
      case 1 where depth > 0 || random.happens(percent: 30):
        lifecycle.invalidate { invalidations.add(1) }
        // After this thread's `invalidate`, `whileActive` must refuse to run this thread's body. Bodies on
        // other threads may still be running.
        return lifecycle.whileActive { 1 } == nil
      default:
        guard depth < 3 else { return true }
        var isRight = true
        lifecycle.whileActive {
          round.deliveries[index].value += 1
          if random.happens(percent: 10) { PlatformThread.yield() }
          isRight = act(depth: depth + 1)
        }
        return isRight
      }
    }
  }

  @Test("everything at once, inside and outside")
  func everythingAtOnce() {
    inChunks(StressSize.pick(quick: 300, full: 20_000)) { chunk, size in
      let rounds = (0..<size).map { _ in Round() }
      let activations = rounds.map { _ in RelaxedCounter() }
      let invalidations = rounds.map { _ in RelaxedCounter() }
      let meeting = MeetingPoint(parties: Self.deliverers)
      let faults = race(threads: Self.deliverers) { index -> Int in
        let random = Seed.current.generator(stream: chunk + index)
        return rounds.indices.count { number in
          let round = rounds[number]
          var actor = Actor(
            round: round, index: index, activations: activations[number],
            invalidations: invalidations[number], random: random)
          meeting.meet()
          var isRight = true
          for _ in 0..<8 where !actor.act(depth: 0) { isRight = false }
          round.lifecycle.invalidate { invalidations[number].add(1) }
          // This thread is in no body of `whileActive`, so `invalidate` has waited until all other threads
          // have ended theirs. The total must not change any more.
          let total = round.total
          return !isRight || total != round.total
        }
      }
      #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
      #expect(activations.allSatisfy { $0.value <= 1 }, "\(Seed.current)")
      #expect(invalidations.allSatisfy { $0.value == 1 }, "\(Seed.current)")
    }
  }
}
