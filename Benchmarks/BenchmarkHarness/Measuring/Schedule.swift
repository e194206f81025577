/// How many rounds there are and how long they take.
package struct Schedule: Sendable, Equatable {
  /// Rounds of each contestant that count.
  ///
  /// One more measures the waits of each that waits.
  package let rounds: Int
  /// The least time of a round of each kind, in milliseconds.
  package let milliseconds: Milliseconds

  /// The least time of a round, by what it is for.
  package struct Milliseconds: Sendable, Equatable {
    /// Of one thread.
    package let alone: Int
    /// Each thread has a processor.
    package let contended: Int
    /// Threads share processors: long enough for each to get a turn.
    package let oversubscribed: Int
    /// Waits are measured.
    ///
    /// None can come out longer than the round.
    package let waits: Int
    /// Waits are measured that may be so long that a thread starves.
    package let starvation: Int

    package init(alone: Int, contended: Int, oversubscribed: Int, waits: Int, starvation: Int) {
      self.alone = alone
      self.contended = contended
      self.oversubscribed = oversubscribed
      self.waits = waits
      self.starvation = starvation
    }
  }

  package init(rounds: Int, milliseconds: Milliseconds) {
    self.rounds = rounds
    self.milliseconds = milliseconds
  }

  /// To see that everything runs; its figures are rough.
  package static let quick = Schedule(
    rounds: 3,
    milliseconds: Milliseconds(alone: 2, contended: 3, oversubscribed: 8, waits: 10, starvation: 20))
  /// About two minutes for everything.
  package static let standard = Schedule(
    rounds: 9,
    milliseconds: Milliseconds(alone: 6, contended: 10, oversubscribed: 16, waits: 30, starvation: 1_100))
  /// For figures to be published: under a quarter of an hour, with the contests that only a full run has.
  package static let full = Schedule(
    rounds: 15,
    milliseconds: Milliseconds(alone: 15, contended: 30, oversubscribed: 60, waits: 200, starvation: 2_000))

  /// The least time of a round that counts, in nanoseconds.
  package func roundTime(threads: Int, processors: Int) -> UInt64 {
    let time =
      threads == 1
      ? milliseconds.alone : threads <= processors ? milliseconds.contended : milliseconds.oversubscribed
    return UInt64(time) * 1_000_000
  }

  /// The least time of the round that measures waits, in nanoseconds.
  package func waitTime(seeksStarvation: Bool) -> UInt64 {
    UInt64(seeksStarvation ? milliseconds.starvation : milliseconds.waits) * 1_000_000
  }

  /// How many rounds of a contest count.
  package func rounds(of contest: Contest) -> Int {
    min(rounds, contest.mostRounds ?? rounds)
  }

  /// How often one round may be measured again.
  package var redosPerRound: Int { 2 }

  /// How many attempts may be thrown away when `rounds` are measured: a quarter, which bounds what they add.
  package func redosInAll(rounds: Int) -> Int { rounds / 4 + 1 }
}
