/// The results of a measuring session.
package struct Measurements: Sendable {
  package let contests: [ContestReport]
  /// The number of rounds that were discarded because other programs disturbed them.
  package let redone: Int
  /// Descriptions of wrong results, and of loops from which the optimiser removed operations.
  package let complaints: [String]
  /// Whether the `Session` was interrupted, so that some contests (see `Contest`) are missing or have fewer
  /// rounds.
  package var isInterrupted = false
}
