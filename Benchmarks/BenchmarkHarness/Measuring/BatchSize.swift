/// Determines the number of operations between two readings of the clock.
package enum BatchSize {
  /// The intended time of a batch, in nanoseconds.
  ///
  /// A batch is so long that the time to read the clock (about 25 ns) does not matter. It is so short that a
  /// round, which always ends with a complete batch, lasts hardly longer than intended.
  private static let nanoseconds = 20_000.0

  /// The number of operations that take about 20 µs at the speed of a worker in `warmUp`.
  ///
  /// It is a multiple of `unit`, and at least `unit`.
  package static func suited(to warmUp: Round, unit: Int) -> Int {
    suited(
      to: warmUp.operations / warmUp.workers.count, nanoseconds: warmUp.nanoseconds, unit: unit)
  }

  /// The number of operations that take about 20 µs if `operations` of them take `nanoseconds`.
  ///
  /// It is a multiple of `unit`, and at least `unit`.
  static func suited(to operations: Int, nanoseconds: UInt64, unit: Int) -> Int {
    let operations = Self.nanoseconds * Double(operations) / Double(nanoseconds)
    return unit * max(1, Int(operations / Double(unit)))
  }
}
