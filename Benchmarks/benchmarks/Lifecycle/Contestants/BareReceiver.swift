/// A receiver that nobody can invalidate.
final class BareReceiver: EventReceiver {
  func receive(_ count: UnsafeMutablePointer<Int>) {
    count.pointee &+= 1
  }
}
