/// The conditions of a benchmark run, which are needed to understand its figures.
package struct RunDescription: Sendable, Equatable {
  package let machine: MachineDescription
  package let build: BuildDescription
  package let effort: Options.Effort
  package var filter = Filter()
  /// The seed for the random order in which the implementations were measured.
  package var seed: UInt64 = 0
  /// The time at which the run started, in seconds since 1970.
  package let started: Int
  /// The reason why instructions were not counted; `nil` if they were counted.
  package var obstacleToInstructions: String?
}
