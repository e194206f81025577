/// An object with a number: a contestant of the suite "once".
///
/// Implementations are final classes, and the measured call is compiled separately for each of them.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}
