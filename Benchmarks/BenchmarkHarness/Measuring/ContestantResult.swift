/// The rounds of one contestant.
package struct ContestantResult: Sendable {
  package let name: String
  package var rounds: [Round] = []
  /// The round that measures waits.
  package var waitRound: Round?

  /// All waits that the contestant measured, in nanoseconds and sorted; none where the contest is not of waits.
  package var samples: [Int] = []

  /// How many times as long four times the operations took; `nil` where that was not tried.
  package var growth: Double?

  package init(name: String) {
    self.name = name
  }

  /// Whether most of the rounds were disturbed, so that the figures are not to be trusted.
  package var isDisturbed: Bool {
    rounds.count { $0.isDisturbed } * 2 > rounds.count
  }

  /// The least over the most operations of a thread in all rounds; `nil` when there are none.
  package var fairness: Double? {
    guard let workers = rounds.first?.workers.count else { return nil }
    return Round.fairness(
      ofOperations: (0..<workers).map { worker in
        rounds.reduce(0) { $0 + $1.workers[worker].operations }
      })
  }

  /// The wait that the given part of all waits did not exceed.
  package func wait(at part: Double) -> Int? {
    samples.isEmpty ? nil : samples[min(samples.count - 1, Int(Double(samples.count) * part))]
  }
}
