/// By how much two identical contestants differ: smaller differences mean nothing.
///
/// The suite `self-check` measures the same code under two names. The floor is the greatest difference that
/// any of its contests shows between the two, in percent of the figure.
package struct NoiseFloor: Sendable, Equatable {
  /// The suite whose contests have two identical contestants.
  package static let suite = "self-check"

  /// In contests of one thread; `nil` when the self-check did not run.
  package let oneThread: Double?
  /// In contests of several threads.
  package let severalThreads: Double?

  /// The floor for contests of so many threads.
  package func floor(threads: Int) -> Double? {
    threads == 1 ? oneThread : severalThreads
  }
}

extension Report {
  /// What the self-check of this run says.
  package var noiseFloor: NoiseFloor {
    let checks = contests.filter { $0.suite == NoiseFloor.suite }
    func greatest(_ checks: [ContestReport]) -> Double? {
      checks.flatMap { check in
        check.contestants.compactMap { contestant in
          contestant.name == check.reference
            ? nil : check.ratioToReference(contestant).map { abs($0.median - 1) * 100 }
        }
      }.max()
    }
    return NoiseFloor(
      oneThread: greatest(checks.filter { $0.threads == 1 }),
      severalThreads: greatest(checks.filter { $0.threads > 1 }))
  }
}
