/// How many operations stand between two readings of the clock.
package enum BatchSize {
  /// How long a batch should take at least: so long that reading the clock (about 25 ns) is not in the
  /// measurement, and so short that a round does not go on long after its time.
  private static let nanoseconds = 20_000.0

  /// The multiple of `unit` that takes about 20 µs at the speed of a worker in `warmUp`; at least one unit.
  package static func suited(to warmUp: Round, unit: Int) -> Int {
    suited(
      to: warmUp.operations / warmUp.workers.count, nanoseconds: warmUp.nanoseconds, unit: unit)
  }

  /// The multiple of `unit` that takes about 20 µs where so many operations take so long; at least one unit.
  static func suited(to operations: Int, nanoseconds: UInt64, unit: Int) -> Int {
    let operations = Self.nanoseconds * Double(operations) / Double(nanoseconds)
    return unit * max(1, Int(operations / Double(unit)))
  }
}
