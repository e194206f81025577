/// Determines the number of operations between two readings of the clock.
package enum BatchSize {
  /// The intended time of a batch of operations, in nanoseconds.
  ///
  /// The clock is read after each batch. A reading takes about 25 ns, which is negligible for a batch of this
  /// length. A measurement ends only after a complete batch, so longer batches would prolong it.
  private static let nanoseconds = 20_000.0

  /// The size of a batch that takes about 20 µs: a multiple of `unit`, and at least `unit`.
  ///
  /// - Parameters:
  ///   - warmUp: A measured round, from which the time of one operation is computed.
  ///   - unit: The smallest allowed size (see `Contest.operationUnit`).
  package static func suited(to warmUp: Round, unit: Int) -> Int {
    suited(to: warmUp.operationsPerWorker, nanoseconds: warmUp.nanoseconds, unit: unit)
  }

  /// The size of a batch that takes about 20 µs: a multiple of `unit`, and at least `unit`.
  ///
  /// - Parameters:
  ///   - operations: A number of operations whose time was measured.
  ///   - nanoseconds: The time that these operations took; must not be 0.
  ///   - unit: The smallest allowed size (see `Contest.operationUnit`).
  static func suited(to operations: Int, nanoseconds: UInt64, unit: Int) -> Int {
    let operations = Self.nanoseconds * Double(operations) / Double(nanoseconds)
    return unit * max(1, Int(operations / Double(unit)))
  }
}
