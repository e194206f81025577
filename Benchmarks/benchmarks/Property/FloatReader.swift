/// An object with a property that is read: what the contestants of the suite "property" are to the loops.
///
/// Implementations are final, and the loops are compiled once for each of them, so that the access is what it
/// would be in code that uses the class itself.
protocol FloatReader: AnyObject, Sendable {
  var value: Float { get }
}

/// An object with a property that is read and written.
protocol FloatHolder: FloatReader {
  var value: Float { get set }
}
