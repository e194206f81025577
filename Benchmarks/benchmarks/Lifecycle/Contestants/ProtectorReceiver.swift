internal import Protectors

/// A receiver with a flag in a `Protector`, which is read while the event is counted.
final class ProtectorReceiver: EventReceiver {
  private let isActive = Protector(true)

  func receive(_ count: UnsafeMutablePointer<Int>) {
    isActive.withReadLock { isActive in
      if isActive { count.pointee &+= 1 }
    }
  }
}
