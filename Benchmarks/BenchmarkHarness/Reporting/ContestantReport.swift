/// The results of one implementation in a contest.
package struct ContestantReport: Sendable, Equatable, Codable {
  /// The results of the round that measured waits.
  package struct WaitRound: Sendable, Equatable, Codable {
    /// The duration of the round, in nanoseconds.
    package let nanoseconds: Int
    /// The longest wait, in nanoseconds.
    package let longestWait: Int

    /// Whether the end of the round may have cut off the longest wait.
    ///
    /// This is assumed of a wait that took more than 80 % of the round.
    var isCut: Bool { Double(longestWait) > Double(nanoseconds) * 0.8 }

    private enum CodingKeys: String, CodingKey {
      case nanoseconds
      case longestWait = "longestWaitNanoseconds"
    }
  }

  package let name: String
  package var category: Category?
  /// The figure of each round, in the unit of the `Metric`.
  package var rounds: [Double]
  /// For each round, whether it was disturbed.
  package var disturbed: [Bool] = []
  /// For each round, the involuntary context switches of its workers.
  package var involuntarySwitches: [Int] = []
  /// For each round, the number of workers that got a processor late.
  package var lateStarts: [Int] = []
  /// For each round, the operations of the slowest worker divided by those of the fastest.
  package var fairness: [Double] = []
  /// For all rounds together, the operations of the slowest worker divided by those of the fastest; `nil` if
  /// there are no rounds.
  package var fairnessInAll: Double?
  /// For each round, the processor time for one operation, in nanoseconds.
  package var processorNanoseconds: [Double] = []
  /// For each round, the number of times that the process's threads slept, divided by the operations.
  ///
  /// The array is empty if the contest's figures are counts and not times, or if the rounds had several workers.
  package var sleeps: [Double] = []
  /// For each round, the instructions for one operation; empty if they are not counted.
  package var instructions: [Double] = []
  /// The median, the 99th percentile and the longest of the waits that the implementation itself measured
  /// (see `Contestant.samples`), in nanoseconds.
  ///
  /// The array is empty if the `Metric` is not `waits`.
  package var waits: [Int] = []
  package var waitRound: WaitRound?
  /// The factor by which a batch takes longer with four times the operations; `nil` if not measured.
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

  /// The median and the quartiles of the rounds' figures; `nil` if there are none.
  package var summary: Summary? { Summary(rounds) }

  /// The mark of an unreliable figure; `nil` if the figure is reliable.
  package var mark: Mark? { Mark(isDisturbed: isDisturbed, spread: summary?.spread) }

  /// Whether most of the rounds were disturbed, so that the figures are unreliable.
  package var isDisturbed: Bool {
    disturbed.count { $0 } * 2 > disturbed.count
  }
}

extension ContestantReport {
  /// Makes a report of the rounds of an implementation.
  package init(
    _ contestant: Contestant, metric: Metric, rounds: [Round], waitRound: Round? = nil,
    growth: Double? = nil, samples: [Int] = []
  ) {
    // Counts don't depend on time, so a report of counts has no processor times, sleeps or instructions.
    let timed = metric.isCounted ? [] : rounds
    let instructions = timed.compactMap(\.instructionsPerOperation)
    let samples = samples.sorted()
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
