/// Decides which rounds are measured again.
///
/// A round is *disturbed* if one of its threads lost its processor for a while, or got one late.
///
/// If threads outnumber processors, such delays are expected, and no round is measured again. If there are
/// enough processors, a delay shows that another program ran. The number of repetitions is limited, for each
/// round and in total. If all attempts of a round were disturbed, the one with the fewest disturbances
/// counts.
package struct RedoPolicy: Sendable {
  private let processors: Int
  private let mostPerRound: Int
  private var left: Int

  /// The number of discarded attempts.
  package private(set) var redone = 0

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - processors: The number of processors that the process may use.
  ///   - mostPerRound: The number of times that one round may be measured again.
  ///   - mostInAll: The number of attempts that may be discarded in total.
  package init(processors: Int, mostPerRound: Int, mostInAll: Int) {
    self.processors = processors
    self.mostPerRound = mostPerRound
    left = mostInAll
  }

  /// Calls `attempt` until a round is undisturbed or a limit is reached, and returns the round with the
  /// fewest disturbances.
  ///
  /// If all attempts were disturbed, the returned round is marked as disturbed. If there are more threads
  /// than processors, there is only one attempt, and it is not marked.
  package mutating func measure<Failure>(
    threads: Int, _ attempt: () throws(Failure) -> Round
  ) throws(Failure) -> Round {
    var best = try attempt()
    guard threads <= processors else { return best }
    var redos = 0
    while best.disturbances > 0, redos < mostPerRound, left > 0 {
      redos += 1
      left -= 1
      redone += 1
      let again = try attempt()
      if again.disturbances < best.disturbances {
        best = again
      }
    }
    best.isDisturbed = best.disturbances > 0
    return best
  }
}
