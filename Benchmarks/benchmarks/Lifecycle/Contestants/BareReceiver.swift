/// A receiver that can't be invalidated.
///
/// The suite compares the other receivers with it.
final class BareReceiver: EventReceiver {
  func receive(_ count: UnsafeMutablePointer<Int>) {
    count.pointee &+= 1
  }
}
