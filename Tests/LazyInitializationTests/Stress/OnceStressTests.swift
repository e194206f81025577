import LazyInitialization
import TestSupport
import Testing

/// Tests many threads that use one `Once` at the same time.
@Suite(.serialized) struct OnceStressTests {
  private struct Failure: Error {}

  /// A `Once`, and the unsynchronised variables to which its body writes.
  private final class Round: Sendable {
    let once = Once()
    let value = Unguarded<[Int]>([])
    let runs = Unguarded(0)
  }

  private let threads = 16

  @Test func oneBodyRunsAndAllSeeTheWholeValue() {
    let rounds = (0..<StressSize.pick(quick: 300, full: 10_000)).map { _ in Round() }
    let meeting = MeetingPoint(parties: threads)
    let faults = race(threads: threads) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return rounds.count { round in
        meeting.meet()
        round.once.run {
          round.runs.value += 1
          if random.happens(percent: 50) { PlatformThread.yield() }
          round.value.value = Array(repeating: index, count: 8)
        }
        let value = round.value.value
        return value.count != 8 || value.contains { $0 != value[0] }
      }
    }
    #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(rounds.allSatisfy { $0.runs.value == 1 }, "\(Seed.current)")
  }

  /// Bodies throw at random.
  ///
  /// If the end of a body did not wake a waiting thread, the test would hang.
  @Test func exactlyOneBodySucceedsAmongFailures() {
    let rounds = (0..<StressSize.pick(quick: 300, full: 10_000)).map { _ in Round() }
    let meeting = MeetingPoint(parties: threads)
    let faults = race(threads: threads) { index -> Int in
      var random = Seed.current.generator(stream: index)
      return rounds.count { round in
        meeting.meet()
        var isCompleted = false
        while !isCompleted {
          do throws(Failure) {
            try round.once.run { () throws(Failure) in
              // This body must see what earlier bodies have appended, although those threw.
              round.value.value.append(index)
              if random.happens(percent: 30) { PlatformThread.yield() }
              if random.happens(percent: 80) { throw Failure() }
              round.runs.value += 1
            }
            isCompleted = true
          } catch {
            // Some threads give up after their own failure, but thread 0 never does. Sleeping threads must
            // not depend on those that gave up.
            if random.happens(percent: 50), index > 0 { break }
          }
        }
        return isCompleted && round.runs.value != 1
      }
    }
    #expect(faults.allSatisfy { $0 == 0 }, "\(Seed.current)")
    #expect(rounds.allSatisfy { $0.runs.value == 1 }, "\(Seed.current)")
  }

  /// Every body throws, so every thread must run its own body, and gets the error of that body.
  @Test func threadsWhoseBodiesAllThrowHandOverInTurn() {
    let rounds = (0..<StressSize.pick(quick: 100, full: 5_000)).map { _ in Round() }
    let meeting = MeetingPoint(parties: threads)
    let failures = race(threads: threads) { _ -> Int in
      rounds.count { round in
        meeting.meet()
        do throws(Failure) {
          try round.once.run { () throws(Failure) in
            round.runs.value += 1
            PlatformThread.yield()
            throw Failure()
          }
          return false
        } catch {
          return true
        }
      }
    }
    #expect(failures.allSatisfy { $0 == rounds.count })
    #expect(rounds.allSatisfy { $0.runs.value == threads && !$0.once.isComplete })
  }
}
