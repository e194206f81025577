/// An object with a property that is read, as the suite "property" measures it.
///
/// Implementations are final classes, and the measured loops are compiled separately for each of them. An
/// access therefore costs as much as in code that uses the class directly.
protocol FloatReader: AnyObject, Sendable {
  var value: Float { get }
}

/// An object with a property that is read and written.
protocol FloatHolder: FloatReader {
  var value: Float { get set }
}
