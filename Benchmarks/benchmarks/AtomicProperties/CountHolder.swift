/// An object with a number: a contestant of the suite "atomic properties".
///
/// Implementations are final, and the loops are compiled once for each of them.
protocol CountHolder: AnyObject, Sendable {
  /// Reads the number.
  var count: Int { get }

  /// Adds one, atomically if the contestant can.
  func increment()
}
