/// How thoroughly a run measures: the number of its rounds and their least durations.
package enum Effort: String, Sendable, Codable, Comparable {
  /// Shows that everything runs; the figures are rough.
  case quick
  /// Takes about two minutes for all suites.
  case standard
  /// For published figures; takes less than a quarter of an hour for all suites.
  case full

  /// Whether `left` has fewer rounds than `right`.
  package static func < (left: Effort, right: Effort) -> Bool {
    left.schedule.rounds < right.schedule.rounds
  }

  package var schedule: Schedule {
    switch self {
    case .quick:
      Schedule(rounds: 3, alone: 2, contended: 3, oversubscribed: 8, waits: 10, starvation: 20)
    case .standard:
      Schedule(rounds: 8, alone: 6, contended: 10, oversubscribed: 16, waits: 30, starvation: 1_100)
    case .full:
      Schedule(rounds: 15, alone: 15, contended: 30, oversubscribed: 60, waits: 200, starvation: 2_000)
    }
  }
}

/// The number of measuring rounds and their least durations, in milliseconds.
package struct Schedule: Sendable {
  /// The number of rounds that measure the operations of each contestant, without the warm-up.
  ///
  /// One more round measures the waits of contestants that can measure them.
  package var rounds: Int
  /// A round of one thread.
  package var alone: Int
  /// A round of several threads, each of which has a processor.
  package var contended: Int
  /// A round in which threads share processors: long enough for each thread to run.
  package var oversubscribed: Int
  /// A round that measures waits, but does not look for starvation.
  package var waits: Int
  /// A round that measures waits and is long enough to see a thread starve.
  package var starvation: Int
  /// The time after which a round that does not end is given up.
  ///
  /// It is 15 times the least duration of the longest round, because a batch may start thousands of tasks, or
  /// run on a busy machine.
  package var limit = 30_000

  /// The least duration of a round that measures operations, in nanoseconds.
  func roundTime(of contest: Contest, processors: Int) -> UInt64 {
    let time = contest.threads == 1 ? alone : contest.threads <= processors ? contended : oversubscribed
    return UInt64(time) * 1_000_000
  }

  /// The least duration of a round that measures waits, in nanoseconds.
  func waitTime(of contest: Contest) -> UInt64 {
    UInt64(contest.seeksStarvation ? starvation : waits) * 1_000_000
  }

  /// The number of rounds that measure the operations of each contestant.
  func rounds(of contest: Contest) -> Int { min(rounds, contest.mostRounds ?? rounds) }
}
