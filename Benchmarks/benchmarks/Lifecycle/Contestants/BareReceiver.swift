/// A receiver of events that can't be invalidated: the reference for the others.
final class BareReceiver: EventReceiver {
  func receive(_ count: UnsafeMutablePointer<Int>) {
    count.pointee &+= 1
  }
}
