/// What has to be known about a run to read its figures.
package struct RunDescription: Sendable, Equatable {
  package let machine: MachineDescription
  package let build: BuildDescription
  package let effort: Options.Effort
  package var filter = Filter()
  /// Determined the order of the contestants.
  package var seed: UInt64 = 0
  /// When it started, in seconds since 1970.
  package let started: Int
  /// Why instructions were not counted; `nil` where they were.
  package var obstacleToInstructions: String?
}
