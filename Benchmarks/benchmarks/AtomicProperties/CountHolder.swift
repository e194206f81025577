/// An object with a number: a contestant of the suite "atomic properties".
///
/// Implementations are final classes, and the measured loops are compiled separately for each of them.
protocol CountHolder: AnyObject, Sendable {
  /// Reads the number.
  var count: Int { get }

  /// Adds one to the number, atomically if the contestant supports this.
  func increment()
}
