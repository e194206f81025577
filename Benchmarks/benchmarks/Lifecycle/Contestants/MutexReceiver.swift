internal import Synchronization

/// A receiver whose flag `isActive` is in a `Synchronization.Mutex`.
///
/// The mutex is held while the event is counted.
final class MutexReceiver: EventReceiver {
  private let isActive = Mutex(true)

  func receive(_ count: UnsafeMutablePointer<Int>) {
    isActive.withLock { isActive in
      if isActive { count.pointee &+= 1 }
    }
  }
}
