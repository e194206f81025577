/// An object with a number, as the suite "once" measures it.
///
/// Implementations are final classes, and the measured call is compiled separately for each of them.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}
