internal import Protectors

/// A receiver whose flag `isActive` is in a `Protector`.
///
/// The event is counted inside the read section that reads the flag.
final class ProtectorReceiver: EventReceiver {
  private let isActive = Protector(true)

  func receive(_ count: UnsafeMutablePointer<Int>) {
    isActive.withReadLock { isActive in
      if isActive { count.pointee &+= 1 }
    }
  }
}
