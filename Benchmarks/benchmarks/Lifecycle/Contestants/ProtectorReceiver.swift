internal import Protectors

/// A receiver with a flag in a `Protector`.
///
/// The read section that reads the flag also counts the event.
final class ProtectorReceiver: EventReceiver {
  private let isActive = Protector(true)

  func receive(_ count: UnsafeMutablePointer<Int>) {
    isActive.withReadLock { isActive in
      if isActive { count.pointee &+= 1 }
    }
  }
}
