/// Something that is called with events: what the contestants of the suite "lifecycle" are to the loop.
///
/// Implementations are final, and the loop is compiled once for each of them.
protocol EventReceiver: AnyObject, Sendable {
  /// Counts the event, unless the receiver has been invalidated.
  func receive(_ count: UnsafeMutablePointer<Int>)
}
