/// What has to be known about a run to read its figures.
package struct RunDescription: Sendable {
  package let machine: MachineDescription
  package let build: BuildDescription
  package let options: Options
  /// When it started, in seconds since 1970.
  package let started: Int

  package init(machine: MachineDescription, build: BuildDescription, options: Options, started: Int) {
    self.machine = machine
    self.build = build
    self.options = options
    self.started = started
  }
}
