/// All that a session measured.
package struct Measurements: Sendable {
  package let contests: [ContestResult]
  /// Attempts that were thrown away because they were disturbed.
  package let redone: Int
  /// What contestants found wrong with the outcome of their operations: empty, unless a lock is broken.
  package let complaints: [String]
  /// Whether the session was told to stop before its end: some contests are missing, or have fewer rounds.
  package let isInterrupted: Bool

  package init(
    contests: [ContestResult], redone: Int, complaints: [String], isInterrupted: Bool = false
  ) {
    self.isInterrupted = isInterrupted
    self.contests = contests
    self.redone = redone
    self.complaints = complaints
  }

  /// Rounds that stand although they were disturbed.
  package var disturbed: Int {
    rounds.count { $0.isDisturbed }
  }

  /// The rounds of all contestants that count.
  package var rounds: [Round] {
    contests.flatMap(\.contestants).flatMap(\.rounds)
  }

  /// A contest by its names; `nil` when it was not measured.
  package func contest(_ suite: String, _ group: String, _ title: String) -> ContestResult? {
    contests.first { $0.suite == suite && $0.group == group && $0.title == title }
  }
}
