/// Determines the number of operations between two readings of the clock.
package enum BatchSize {
  /// The minimum time of a batch: long enough that reading the clock (about 25 ns) does not matter, and short
  /// enough that a round does not last much too long.
  private static let nanoseconds = 20_000.0

  /// A batch size that takes about 20 µs at the speed of a worker in `warmUp`.
  ///
  /// It is a multiple of `unit`, and at least `unit`.
  package static func suited(to warmUp: Round, unit: Int) -> Int {
    suited(
      to: warmUp.operations / warmUp.workers.count, nanoseconds: warmUp.nanoseconds, unit: unit)
  }

  /// A batch size that takes about 20 µs if `operations` take `nanoseconds`.
  ///
  /// It is a multiple of `unit`, and at least `unit`.
  static func suited(to operations: Int, nanoseconds: UInt64, unit: Int) -> Int {
    let operations = Self.nanoseconds * Double(operations) / Double(nanoseconds)
    return unit * max(1, Int(operations / Double(unit)))
  }
}
