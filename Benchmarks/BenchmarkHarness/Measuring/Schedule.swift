/// The number of measuring rounds and their durations.
package struct Schedule: Sendable, Equatable {
  /// The number of rounds that measure the operations of each implementation, without the warm-up.
  ///
  /// One more round measures the waits of implementations that can measure waits.
  package let rounds: Int
  /// The minimum time of a round of each kind, in milliseconds.
  package let milliseconds: Milliseconds
  /// The time after which a round that does not end is given up, in milliseconds.
  ///
  /// The default, 30 seconds, is 15 times the minimum time of the longest round. The margin is so wide
  /// because a batch may start thousands of threads, or run on a busy machine.
  package var limitMilliseconds: Int

  /// The minimum times of a round, one for each kind of round.
  package struct Milliseconds: Sendable, Equatable {
    /// The minimum time of a round of one thread.
    package let alone: Int
    /// The minimum time of a round of several threads, each of which has a processor.
    package let contended: Int
    /// The minimum time of a round in which threads share processors: long enough for each thread to run.
    package let oversubscribed: Int
    /// The minimum time of a round that measures waits, but does not look for starvation.
    ///
    /// A longer round can show longer waits.
    package let waits: Int
    /// The minimum time of a round that measures waits and is long enough to see a thread starve.
    package let starvation: Int

    package init(alone: Int, contended: Int, oversubscribed: Int, waits: Int, starvation: Int) {
      self.alone = alone
      self.contended = contended
      self.oversubscribed = oversubscribed
      self.waits = waits
      self.starvation = starvation
    }
  }

  package init(rounds: Int, milliseconds: Milliseconds, limitMilliseconds: Int = 30_000) {
    self.rounds = rounds
    self.milliseconds = milliseconds
    self.limitMilliseconds = limitMilliseconds
  }

  /// The schedule for a quick check that all benchmarks run; its figures are rough.
  package static let quick = Schedule(
    rounds: 3,
    milliseconds: Milliseconds(alone: 2, contended: 3, oversubscribed: 8, waits: 10, starvation: 20))
  /// The default schedule, which takes about two minutes for all suites.
  package static let standard = Schedule(
    rounds: 8,
    milliseconds: Milliseconds(alone: 6, contended: 10, oversubscribed: 16, waits: 30, starvation: 1_100))
  /// The schedule for published figures, which takes less than a quarter of an hour for all suites.
  package static let full = Schedule(
    rounds: 15,
    milliseconds: Milliseconds(alone: 15, contended: 30, oversubscribed: 60, waits: 200, starvation: 2_000))

  /// The minimum time of a round that measures operations and not waits, in nanoseconds.
  package func roundTime(threads: Int, processors: Int) -> UInt64 {
    let time =
      threads == 1
      ? milliseconds.alone : threads <= processors ? milliseconds.contended : milliseconds.oversubscribed
    return UInt64(time) * 1_000_000
  }

  /// The minimum time of a round that measures waits, in nanoseconds.
  package func waitTime(seeksStarvation: Bool) -> UInt64 {
    UInt64(seeksStarvation ? milliseconds.starvation : milliseconds.waits) * 1_000_000
  }

  /// The number of rounds that measure the operations of each implementation in the contest.
  package func rounds(of contest: Contest) -> Int {
    min(rounds, contest.mostRounds ?? rounds)
  }

  /// The number of times that one round may be measured again.
  package var redosPerRound: Int { 2 }

  /// The number of disturbed rounds that a `Session` with `rounds` rounds may discard and measure again.
  ///
  /// It is about a quarter of `rounds`, so repetitions lengthen the session by about a quarter at most.
  package func redosInAll(rounds: Int) -> Int { rounds / 4 + 1 }
}
