/// A receiver that can't be invalidated.
///
/// The other contestants are compared with it.
final class BareReceiver: EventReceiver {
  func receive(_ count: UnsafeMutablePointer<Int>) {
    count.pointee &+= 1
  }
}
