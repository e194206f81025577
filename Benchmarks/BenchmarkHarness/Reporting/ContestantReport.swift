/// What a report says of one contestant in a contest.
package struct ContestantReport: Sendable, Equatable {
  /// The round that measured waits.
  package struct WaitRound: Sendable, Equatable {
    /// How long it took, in nanoseconds.
    package let nanoseconds: Int
    /// In nanoseconds.
    package let longestWait: Int

    package init(nanoseconds: Int, longestWait: Int) {
      self.nanoseconds = nanoseconds
      self.longestWait = longestWait
    }

    /// Whether the round's end may have ended the wait.
    var isCut: Bool { Double(longestWait) > Double(nanoseconds) * 0.8 }
  }

  package let name: String
  /// The figure of each round, in the unit of the contest's metric.
  package var rounds: [Double]
  /// Of each round: whether it stands although it was disturbed.
  package var disturbed: [Bool]
  /// Of each round: how often a processor was taken away from a worker.
  package var involuntarySwitches: [Int]
  /// Of each round: how many workers began late.
  package var lateStarts: [Int]
  /// Of each round: the least over the most operations of a worker.
  package var fairness: [Double]
  /// The same, of all rounds together.
  package var fairnessInAll: Double?
  /// Of each round: processor time for one operation, in nanoseconds.
  package var processorNanoseconds: [Double]
  /// Of each round: how often a thread went to sleep, for one operation; none where there are several workers.
  package var sleeps: [Double]
  /// Of each round: instructions for one operation; none where nobody counted.
  package var instructions: [Double]
  /// The median, the 99th percentile and the longest of the waits that the contestant measured itself, in nanoseconds;
  /// none where the contest is not of waits.
  package var waits: [Int]
  package var waitRound: WaitRound?
  /// How many times as long four times the operations took; `nil` where that was not tried.
  package var growth: Double?

  package init(
    name: String, rounds: [Double], disturbed: [Bool] = [], involuntarySwitches: [Int] = [],
    lateStarts: [Int] = [], fairness: [Double] = [], fairnessInAll: Double? = nil,
    processorNanoseconds: [Double] = [], sleeps: [Double] = [], instructions: [Double] = [],
    waits: [Int] = [], waitRound: WaitRound? = nil, growth: Double? = nil
  ) {
    self.name = name
    self.rounds = rounds
    self.disturbed = disturbed
    self.involuntarySwitches = involuntarySwitches
    self.lateStarts = lateStarts
    self.fairness = fairness
    self.fairnessInAll = fairnessInAll
    self.processorNanoseconds = processorNanoseconds
    self.sleeps = sleeps
    self.instructions = instructions
    self.waits = waits
    self.waitRound = waitRound
    self.growth = growth
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
