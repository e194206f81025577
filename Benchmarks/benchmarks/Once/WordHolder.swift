/// An object with a number, as the suite "once" measures it.
///
/// Implementations must be final classes, so that the compiler specialises the measured call for each of them.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}
