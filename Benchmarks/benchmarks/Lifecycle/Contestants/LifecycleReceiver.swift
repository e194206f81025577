internal import Lifecycles

/// A receiver that holds a `Lifecycle`.
final class LifecycleReceiver: EventReceiver {
  private let lifecycle = Lifecycle(label: "LifecycleReceiver")

  init() {
    lifecycle.activate()
  }

  deinit {
    // A `Lifecycle` must be invalidated before it is deallocated.
    lifecycle.invalidate()
  }

  func receive(_ count: UnsafeMutablePointer<Int>) {
    lifecycle.whileActive { count.pointee &+= 1 }
  }
}
