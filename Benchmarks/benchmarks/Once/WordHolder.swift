/// An object with a number: a contestant of the suite "once".
///
/// Implementations are final, and the loop is compiled once for each of them.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}
