/// A receiver that can't be invalidated.
final class BareReceiver: EventReceiver {
  func receive(_ count: UnsafeMutablePointer<Int>) {
    count.pointee &+= 1
  }
}
