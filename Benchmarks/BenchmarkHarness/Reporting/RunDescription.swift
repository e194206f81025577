/// What has to be known about a run to read its figures.
package struct RunDescription: Sendable, Equatable {
  package let machine: MachineDescription
  package let build: BuildDescription
  package let effort: Options.Effort
  package let filter: Filter
  /// Determined the order of the contestants.
  package let seed: UInt64
  /// When it started, in seconds since 1970.
  package let started: Int
  /// Why instructions were not counted; `nil` where they were.
  package let obstacleToInstructions: String?

  package init(
    machine: MachineDescription, build: BuildDescription, effort: Options.Effort, filter: Filter = Filter(),
    seed: UInt64 = 0, started: Int, obstacleToInstructions: String? = nil
  ) {
    self.machine = machine
    self.build = build
    self.effort = effort
    self.filter = filter
    self.seed = seed
    self.started = started
    self.obstacleToInstructions = obstacleToInstructions
  }
}
