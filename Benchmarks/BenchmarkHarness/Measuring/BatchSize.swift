/// How many operations stand between two readings of the clock.
package enum BatchSize {
  /// How long a batch should take at least: so long that reading the clock (about 25 ns) is not in the measurement,
  /// and so short that a round does not go on long after its time.
  private static let nanoseconds = 20_000.0

  /// The multiple of `unit` that takes about 20 µs at the speed of a worker in `warmUp`; at least one unit.
  package static func suited(to warmUp: Round, unit: Int) -> Int {
    let operationsOfWorker = Double(warmUp.operations) / Double(warmUp.workers.count)
    let operations = nanoseconds * operationsOfWorker / Double(warmUp.nanoseconds)
    return unit * max(1, Int(operations / Double(unit)))
  }
}
