/// An object that receives events, as the suite "lifecycle" measures it.
///
/// Implementations are final classes, and the measured call is compiled separately for each of them.
protocol EventReceiver: AnyObject, Sendable {
  /// Handles an event: adds 1 to `count`, or does nothing if the receiver has been invalidated.
  func receive(_ count: UnsafeMutablePointer<Int>)
}
