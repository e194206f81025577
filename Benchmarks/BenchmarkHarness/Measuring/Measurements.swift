/// The results of a measuring session.
package struct Measurements: Sendable {
  package let contests: [ContestReport]
  /// The number of rounds that were discarded because other programs disturbed them.
  package let redone: Int
  /// Descriptions of all problems: wrong results, loops from which the optimiser removed operations, and a
  /// round or check that did not end.
  package let complaints: [String]
  /// Whether the `Session` ended early, so that some contests are missing or have fewer rounds.
  package var isInterrupted = false
}
