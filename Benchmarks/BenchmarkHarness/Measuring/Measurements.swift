/// The results of a session.
package struct Measurements: Sendable {
  package let contests: [ContestReport]
  /// The number of discarded rounds, which were disturbed.
  package let redone: Int
  /// Errors that contestants found in the results of their operations.
  ///
  /// Empty, unless a lock is broken.
  package let complaints: [String]
  /// Whether the session was interrupted: some contests are missing, or have fewer rounds.
  package var isInterrupted = false
}
