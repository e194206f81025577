/// An object with a number, as the suite "atomic properties" measures it.
///
/// Implementations are final classes, and the measured loops are compiled separately for each of them.
protocol CountHolder: AnyObject, Sendable {
  /// Reads the number.
  var count: Int { get }

  /// Adds one to the number, atomically if the implementation supports this.
  func increment()
}
