/// What was measured of one contestant in a contest.
package struct ContestantReport: Sendable, Equatable, Codable {
  /// The round that measured waits.
  package struct WaitRound: Sendable, Equatable, Codable {
    /// How long it took, in nanoseconds.
    package let nanoseconds: Int
    /// In nanoseconds.
    package let longestWait: Int

    /// Whether the round's end may have ended the wait.
    var isCut: Bool { Double(longestWait) > Double(nanoseconds) * 0.8 }

    private enum CodingKeys: String, CodingKey {
      case nanoseconds
      case longestWait = "longestWaitNanoseconds"
    }
  }

  package let name: String
  package var category: Category?
  /// The figure of each round, in the unit of the contest's metric.
  package var rounds: [Double]
  /// Of each round: whether it counts although it was disturbed.
  package var disturbed: [Bool] = []
  /// Of each round: how often the system took a processor away from a worker.
  package var involuntarySwitches: [Int] = []
  /// Of each round: how many workers began late.
  package var lateStarts: [Int] = []
  /// Of each round: the least over the most operations of a worker.
  package var fairness: [Double] = []
  /// The same, of all rounds together.
  package var fairnessInAll: Double?
  /// Of each round: processor time for one operation, in nanoseconds.
  package var processorNanoseconds: [Double] = []
  /// Of each round: how often a thread went to sleep, for one operation; empty where there are several
  /// workers.
  package var sleeps: [Double] = []
  /// Of each round: instructions for one operation; empty where the system does not count them.
  package var instructions: [Double] = []
  /// The median, the 99th percentile and the longest of the waits that the contestant measured, in
  /// nanoseconds.
  ///
  /// Empty where the contest is not of waits.
  package var waits: [Int] = []
  package var waitRound: WaitRound?
  /// How many times as long four times the operations took; `nil` where that was not tried.
  package var growth: Double?

  private enum CodingKeys: String, CodingKey {
    case name, category, rounds, disturbed, involuntarySwitches, lateStarts, waits, waitRound
    case fairness = "leastOverMostOperations"
    case fairnessInAll = "leastOverMostOperationsInAll"
    case processorNanoseconds = "processorNanosecondsPerOperation"
    case sleeps = "sleepsPerOperation"
    case instructions = "instructionsPerOperation"
    case growth = "timesAsLongForFourTimesTheOperations"
  }

  /// The middle of the rounds' figures and their spread.
  package var summary: Summary? { Summary(rounds) }

  /// What stands beside the figure.
  package var mark: Mark? { Mark(isDisturbed: isDisturbed, spread: summary?.spread) }

  /// Whether most of the rounds were disturbed, so that the figures are not to be trusted.
  package var isDisturbed: Bool {
    disturbed.count { $0 } * 2 > disturbed.count
  }
}

extension ContestantReport {
  /// The figures of a contestant's rounds.
  package init(
    _ contestant: Contestant, metric: Metric, rounds: [Round], waitRound: Round? = nil,
    growth: Double? = nil
  ) {
    // A contest that counts needs no clock, and other programs don't disturb it.
    let timed = metric.isCounted ? [] : rounds
    let instructions = timed.compactMap(\.instructionsPerOperation)
    let samples = contestant.samples().sorted()
    self.init(
      name: contestant.name, category: contestant.category,
      rounds: rounds.map { metric.value(of: $0) },
      disturbed: rounds.map { $0.isDisturbed && !metric.isCounted },
      involuntarySwitches: rounds.map(\.involuntarySwitches),
      lateStarts: rounds.map(\.lateStarts),
      fairness: rounds.map(\.fairness),
      fairnessInAll: Round.fairness(ofAll: rounds),
      processorNanoseconds: timed.map(\.processorNanosecondsPerOperation),
      sleeps: timed.filter { $0.workers.count == 1 }.map(\.sleepsPerOperation),
      instructions: instructions.count == rounds.count ? instructions : [],
      waits: samples.isEmpty
        ? [] : [0.5, 0.99, 1].map { samples[min(samples.count - 1, Int(Double(samples.count) * $0))] },
      waitRound: waitRound.map {
        WaitRound(nanoseconds: Int($0.nanoseconds), longestWait: $0.longestWait)
      },
      growth: growth)
  }
}
