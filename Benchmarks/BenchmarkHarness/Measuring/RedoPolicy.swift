/// Decides which rounds are measured again, because one of their threads lost its processor for a while.
///
/// If threads outnumber processors, that is expected, and no round is measured again. Otherwise another
/// program ran during the measurement. The number of repetitions is limited, for each round and in total.
/// When a round has used up its own, the attempt with the fewest disturbances counts.
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
  ///   - mostPerRound: How often one round may be measured again.
  ///   - mostInAll: How many attempts may be discarded in total.
  package init(processors: Int, mostPerRound: Int, mostInAll: Int) {
    self.processors = processors
    self.mostPerRound = mostPerRound
    left = mostInAll
  }

  /// Calls `attempt` until a round is undisturbed, or the limit is reached.
  ///
  /// Then the best one is marked as disturbed.
  package mutating func measure(threads: Int, _ attempt: () -> Round) -> Round {
    var best = attempt()
    guard threads <= processors else { return best }
    var redos = 0
    while best.disturbances > 0, redos < mostPerRound, left > 0 {
      redos += 1
      left -= 1
      redone += 1
      let again = attempt()
      if again.disturbances < best.disturbances {
        best = again
      }
    }
    best.isDisturbed = best.disturbances > 0
    return best
  }
}
