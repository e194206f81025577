/// A property that holds a number: what the contestants of the suite "atomic properties" are to the loops.
///
/// Implementations are final, and the loops are compiled once for each of them.
protocol CountHolder: AnyObject, Sendable {
  /// Reads the number.
  var count: Int { get }

  /// Adds one, in one step where the contestant can.
  func increment()
}
