/// Decides which rounds are measured again because one of their threads had to do without a processor for a
/// while.
///
/// Where threads outnumber processors that is expected, and nothing is redone. Elsewhere something else ran
/// in the measurement's place. The number of redos is bounded, for each round and in all; when a round has
/// used up its own, the attempt with the fewest disturbances stands.
package struct RedoPolicy: Sendable {
  private let processors: Int
  private let mostPerRound: Int
  private var left: Int

  /// Attempts that were thrown away.
  package private(set) var redone = 0

  /// - Parameters:
  ///   - processors: How many the process may use.
  ///   - mostPerRound: How often one round may be measured again.
  ///   - mostInAll: How many attempts may be thrown away altogether.
  package init(processors: Int, mostPerRound: Int, mostInAll: Int) {
    self.processors = processors
    self.mostPerRound = mostPerRound
    left = mostInAll
  }

  /// Calls `attempt` until it gives a round that may stand; one that only has to is marked as disturbed.
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
