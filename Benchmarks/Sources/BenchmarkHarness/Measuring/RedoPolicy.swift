/// Decides which rounds are measured again.
///
/// A round is *disturbed* if one of its threads lost its processor for a while, or got one late.
///
/// If threads outnumber processors, or some don't belong to the harness, such delays are expected, and no round
/// is measured again. Otherwise, a delay shows that another program ran. A round is repeated at most twice, and
/// the number of repetitions is limited in total. If all attempts of a round were disturbed, the one with the
/// fewest disturbances counts.
package struct RedoPolicy: Sendable {
  private let processors: Int
  private var left: Int
  /// The number of discarded attempts.
  package private(set) var redone = 0

  /// Makes a policy for a session of `rounds` rounds.
  ///
  /// About a quarter as many attempts may be discarded, so repetitions lengthen the session by about a
  /// quarter at most.
  ///
  /// - Parameter processors: The number of processors that the process may use.
  package init(processors: Int, rounds: Int) {
    self.processors = processors
    left = rounds / 4 + 1
  }

  /// Calls `attempt` until a round is undisturbed or a limit is reached, and returns the round with the
  /// fewest disturbances.
  ///
  /// If all attempts were disturbed, the returned round is marked as disturbed. If there are more threads
  /// than processors, or other threads than the workers, there is only one attempt, and it is not marked.
  package mutating func measure<Failure>(
    threads: Int, runsOnOtherThreads: Bool, _ attempt: () throws(Failure) -> Round
  ) throws(Failure) -> Round {
    var best = try attempt()
    guard threads <= processors, !runsOnOtherThreads else { return best }
    for _ in 0..<2 where best.disturbances > 0 && left > 0 {
      left -= 1
      redone += 1
      let again = try attempt()
      if again.disturbances < best.disturbances { best = again }
    }
    best.isDisturbed = best.disturbances > 0
    return best
  }
}
