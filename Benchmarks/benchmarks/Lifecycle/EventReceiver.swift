/// An object that receives events: a contestant of the suite "lifecycle".
///
/// Implementations are final, and the loop is compiled once for each of them.
protocol EventReceiver: AnyObject, Sendable {
  /// Counts the event, unless the receiver has been invalidated.
  func receive(_ count: UnsafeMutablePointer<Int>)
}
