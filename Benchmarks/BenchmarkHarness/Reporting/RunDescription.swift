/// The conditions of a run, which are needed to read its figures.
package struct RunDescription: Sendable, Equatable {
  package let machine: MachineDescription
  package let build: BuildDescription
  package let effort: Options.Effort
  package var filter = Filter()
  /// The seed for the order of the contestants.
  package var seed: UInt64 = 0
  /// When the run started, in seconds since 1970.
  package let started: Int
  /// Why instructions were not counted; `nil` if they were.
  package var obstacleToInstructions: String?
}
