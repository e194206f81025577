/// All that a session measured.
package struct Measurements: Sendable {
  package let contests: [ContestReport]
  /// How many attempts were discarded because they were disturbed.
  package let redone: Int
  /// Mistakes that contestants found in the outcome of their operations: empty, unless a lock is broken.
  package let complaints: [String]
  /// Whether the session was stopped before its end: some contests are missing, or have fewer rounds.
  package var isInterrupted = false
}
